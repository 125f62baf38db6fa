import {type JSX} from 'react';
import {decisionStatus} from '../approval/decision-status.ts';
import {footerLine} from './footer-line.ts';
import {LineText} from '../text/line-text.tsx';
import {suggestedCommands} from '../input/palette.ts';
import {PromptLine} from '../components/prompt-line.tsx';
import {promptText} from '../components/prompt-text.ts';
import {questionLine} from '../components/question-line.ts';
import {type FieldHandlers, type Screen} from '../state/screen.ts';

type BottomLineProps = {readonly screen: Screen; readonly handlers: FieldHandlers};

/** The last line of the screen: a question, a field to type into, or the keys that mean something now. */
export function BottomLine({screen, handlers}: BottomLineProps): JSX.Element {
	const {ui, snapshot, size} = screen;
	const {mode} = ui;
	const width = size.columns;
	switch (mode.kind) {
		case 'confirm':
			return <LineText line={questionLine(mode.question, snapshot, width)} width={width} />;
		case 'palette':
		case 'filter':
		case 'deny-message':
		case 'prompt':
			return (
				<PromptLine
					{...promptText(mode)}
					field={mode.field}
					suggestions={mode.kind === 'palette' ? suggestedCommands(mode.field.value, snapshot) : undefined}
					handlers={handlers}
					width={width}
				/>
			);
		case 'review':
		case 'form':
		case 'proposal':
			return <LineText line={decisionStatus(screen) ?? footer(screen)} width={width} />;
		case 'browse':
		case 'detail':
		case 'help':
		case 'page':
		case 'settled':
		case 'login':
		case 'hand-call':
		case 'form-text':
		case 'add-server':
			return <LineText line={footer(screen)} width={width} />;
	}
}

function footer({ui, snapshot, readOnly, readWhole, size}: Screen) {
	return footerLine(ui, {snapshot, readOnly, readWhole}, size.columns);
}
