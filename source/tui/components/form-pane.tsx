import {Box} from 'ink';
import {type JSX} from 'react';
import {originText} from '../../state/origin.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {labelled, wrappedLines} from '../lists/list-row.ts';
import {type Form} from '../state/form.ts';
import {type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {minutesText} from '../text/duration-text.ts';
import {LineText} from '../text/line-text.tsx';
import {own} from '../text/own-glyphs.ts';
import {type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../text/status-text.ts';
import {cursorMark, formRows} from './form-rows.ts';
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
	const {title, lines} = formIntro(mode.form, snapshot, {width, now});
	const rows = formRows(mode.form, lines, screen);
	const room = Math.max(1, height - 2);
	const here = rows.findIndex(row => row.stop === mode.form.stop);
	const top = Math.max(0, Math.min(rows.length - room, here - Math.floor(room / 2)));
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<LineText line={title} width={width} />
			<LineText line={ruleLine('', width)} width={width} />
			{rows.slice(top, top + room).map((row, index) =>
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

/** The introduction of a form: its title, and who asks what. */
type FormIntro = {readonly title: Line; readonly lines: readonly Line[]};

/** The introduction of a form. `now` is for the countdown. */
function formIntro(
	form: Form,
	snapshot: Pick<Snapshot, 'questions'>,
	{width, now}: {readonly width: number; readonly now: number},
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
		lines: [
			...labelled(question.kind === 'elicitation' ? 'server' : 'asked by', question.asker, width),
			...labelled('from', originText(question.origin, own` · `), width),
			...(question.kind === 'elicitation'
				? [[span(own` the text below is from the server · never give it a password`, 'dim')]]
				: []),
			[],
			...wrappedLines(question.message, width),
		],
	};
}
