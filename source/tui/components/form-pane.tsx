import {Box} from 'ink';
import {type JSX} from 'react';
import {type Snapshot} from '../../state/snapshot.ts';
import {type Form} from '../state/form.ts';
import {type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {deadlineText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {LineText} from '../text/line-text.tsx';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {lineWithEnd, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {cursorMark, formRows, visibleRows} from './form-rows.ts';
import {PromptLine} from './prompt-line.tsx';
import {StatusLines} from './status-lines.tsx';

type FormPaneProps = {
	readonly screen: Screen;
	readonly mode: Extract<Mode, {kind: 'form' | 'form-text'}>;
	readonly height: number;
};

/** A form, or the part of it that fits. */
export function FormPane({screen, mode, height}: FormPaneProps): JSX.Element {
	const width = screen.size.columns;
	const isShort = layoutName(screen.size) === 'narrow';
	const shown = visibleRows(mode.form, formRows(mode.form, screen), {
		room: Math.max(1, height - (isShort ? 1 : 2)),
		width,
	});
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<LineText line={formTitle(mode.form, screen.snapshot, screen)} width={width} />
			{isShort ? null : <LineText line={ruleLine('', width)} width={width} />}
			{shown.map((row, index) =>
				row.isProblem ? (
					// oxlint-disable-next-line react/no-array-index-key -- a row of the screen is its place
					<StatusLines key={index} lines={[row.line]} variant="error" width={width} indent={3} />
				) : mode.kind === 'form-text' && row.stop === mode.form.stop ? (
					<PromptLine
						key={`field-${mode.form.stop}`}
						label={` ${cursorMark}`}
						field={mode.field}
						placeholder=""
						width={width}
					/>
				) : (
					// oxlint-disable-next-line react/no-array-index-key -- a row of the screen is its place
					<LineText key={index} line={row.line} width={width} />
				),
			)}
		</Box>
	);
}

/** The owner of the form; for a question, the number that wait and the time left of this one. */
function formTitle({owner}: Form, {questions}: Pick<Snapshot, 'questions'>, {now, size}: Pick<Screen, 'now' | 'size'>) {
	if (owner.kind === 'tool') {
		return [span(` Call ${owner.name}`, 'strong'), span(uiText` · needs the same approval as any other call`, 'dim')];
	}

	const index = questions.findIndex(({id}) => id === owner.id);
	const question = questions[index];
	if (!question) {
		return [];
	}

	const isExpiring = question.expiresAt !== null && question.expiresAt - now < 10_000;
	const words = `${deadlineText(question, now)}${isExpiring ? uiText` · expiring` : ''} `;
	return lineWithEnd(
		[span(` ${glyphs.question} QUESTION ${index + 1} of ${questions.length}`, 'notice')],
		[span(words, isExpiring ? 'bad' : 'busy')],
		size.columns,
	);
}
