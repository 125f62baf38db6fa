import {Box} from 'ink';
import {type JSX} from 'react';
import {originText} from '../../state/origin.ts';
import {type QuestionRow, type Snapshot} from '../../state/snapshot.ts';
import {labelled, wrappedLines} from '../lists/list-row.ts';
import {type Form} from '../state/form.ts';
import {type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {minutesText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {LineText} from '../text/line-text.tsx';
import {own} from '../text/own-glyphs.ts';
import {type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../text/status-text.ts';
import {cursorMark, type FormRow, formRows} from './form-rows.ts';
import {PromptLine} from './prompt-line.tsx';
import {StatusLines} from './status-lines.tsx';

type FormPaneProps = {
	readonly screen: Screen;
	readonly mode: Extract<Mode, {kind: 'form' | 'form-text'}>;
	readonly height: number;
};

/** The part of a form around the cursor that fits. */
export function FormPane({screen, mode, height}: FormPaneProps): JSX.Element {
	const {snapshot, now, size} = screen;
	const width = size.columns;
	const isShort = layoutName(size) === 'narrow';
	const {title, lines} = formIntro(mode.form, snapshot, {width, now, isShort});
	const rows = formRows(mode.form, lines, screen);
	const here = rows.findIndex(row => row.stop === mode.form.stop);
	const end = here + (rows[here + 1]?.isProblem ? 2 : 1);
	const shown = shownRows(rows, end, Math.max(1, height - (isShort ? 1 : 2)));
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<LineText line={title} width={width} />
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

/** The rows from the top on, for as long as the cursor fits (`end` is behind it); the last one, which says how to send, always stays. */
function shownRows(rows: readonly FormRow[], end: number, room: number): readonly FormRow[] {
	if (rows.length <= room || end === rows.length) {
		return rows.slice(-room);
	}

	const top = Math.max(0, end - (room - 1));
	return [...rows.slice(top, top + room - 1), ...rows.slice(-1)];
}

/** The introduction of a form: its title, and who asks what. */
type FormIntro = {readonly title: Line; readonly lines: readonly Line[]};

/** The introduction of a form. `now` is for the countdown. */
function formIntro(
	form: Form,
	snapshot: Pick<Snapshot, 'questions'>,
	{width, now, isShort}: {readonly width: number; readonly now: number; readonly isShort: boolean},
): FormIntro {
	const {owner} = form;
	if (owner.kind === 'tool') {
		return {
			title: [span(` Call ${owner.name}`, 'strong'), span(own` · needs the same approval as any other call`, 'dim')],
			lines: [],
		};
	}

	const index = snapshot.questions.findIndex(({id}) => id === owner.id);
	const question = snapshot.questions[index];
	if (!question) {
		return {title: [], lines: []};
	}

	const left = question.expiresAt - now;
	const count = `${index + 1} of ${snapshot.questions.length}`;
	return {
		title: lineWithEnd(
			[span(` ${glyphs.question} QUESTION ${count}`, 'notice')],
			[
				span(
					`expires in ${minutesText(left)}${left < 10_000 ? own` · expiring` : ''} `,
					left < 10_000 ? 'bad' : 'busy',
				),
			],
			width,
		),
		lines: isShort
			? shortIntro(question, width)
			: [
					...labelled(question.kind === 'elicitation' ? 'server' : 'asked by', question.asker, width),
					...labelled('from', originText(question.origin, own` · `), width),
					...(question.kind === 'elicitation'
						? dimLines(own`the text below is from the server · never give it a password`, width)
						: []),
					[],
					...wrappedLines(question.message, width),
				],
	};
}

/** Who asks what, in few rows: the message is what the answer depends on. */
function shortIntro({asker, kind, message, origin}: QuestionRow, width: number): readonly Line[] {
	const warning = kind === 'elicitation' ? ', give no password' : '';
	return [...dimLines(`${asker} (${originText(origin)}) asks${warning}:`, width), ...wrappedLines(message, width)];
}

function dimLines(text: string, width: number): readonly Line[] {
	return wrappedLines(text, width).map(line => line.map(piece => span(piece.text, 'dim')));
}
