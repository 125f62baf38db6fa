import {type JSX} from 'react';
import {footerLine} from './footer-line.ts';
import {LineText} from './line-text.tsx';
import {suggestedCommands} from './palette.ts';
import {PromptLine} from './prompt-line.tsx';
import {questionLine} from './question-line.ts';
import {reviewStatus} from './review-status.ts';
import {type FieldHandlers, type Screen} from './screen.ts';

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
			return (
				<PromptLine
					label=" : "
					field={mode.field}
					placeholder="reload-mcp, reconnect NAME, …"
					suggestions={suggestedCommands(mode.field.value, snapshot)}
					handlers={handlers}
					width={width}
				/>
			);
		case 'filter':
			return (
				<PromptLine
					label=" / "
					field={mode.field}
					placeholder="word key:value !word"
					handlers={handlers}
					width={width}
				/>
			);
		case 'deny-message':
			return (
				<PromptLine
					label=" deny, because: "
					field={mode.field}
					placeholder="(Enter denies, Esc goes back)"
					handlers={handlers}
					width={width}
				/>
			);
		case 'review':
			return <LineText line={reviewStatus(screen, mode)} width={width} />;
		case 'browse':
		case 'detail':
		case 'help':
		case 'add-server':
			return <LineText line={footerLine(ui, {snapshot, readOnly: screen.readOnly}, width)} width={width} />;
	}
}
