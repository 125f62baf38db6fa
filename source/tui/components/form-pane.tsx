import {Box} from 'ink';
import {type JSX} from 'react';
import {formIntro} from './form-intro.ts';
import {cursorMark, formRows} from './form-rows.ts';
import {LineText} from '../text/line-text.tsx';
import {type Mode} from '../state/mode.ts';
import {PromptLine} from './prompt-line.tsx';
import {type FieldHandlers, type Screen} from '../state/screen.ts';
import {ruleLine} from '../text/rule-line.ts';

type FormPaneProps = {
	readonly screen: Screen;
	readonly mode: Extract<Mode, {kind: 'form' | 'form-text'}>;
	readonly handlers: FieldHandlers;
	readonly height: number;
};

/** A form, as much of it as fits around the cursor. */
export function FormPane({screen, mode, handlers, height}: FormPaneProps): JSX.Element {
	const {snapshot, now, size} = screen;
	const width = size.columns;
	const {title, lines} = formIntro(mode.form, snapshot, {width, now});
	const rows = formRows(mode.form, lines, width);
	const room = Math.max(1, height - 2);
	const here = rows.findIndex(row => row.stop === mode.form.stop);
	const top = Math.max(0, Math.min(rows.length - room, here - Math.floor(room / 2)));
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<LineText line={title} width={width} />
			<LineText line={ruleLine('', width)} width={width} />
			{rows.slice(top, top + room).map((row, index) =>
				mode.kind === 'form-text' && row.stop === mode.form.stop ? (
					<PromptLine
						key={`field-${mode.form.stop}`}
						label={` ${cursorMark}`}
						field={mode.field}
						placeholder=""
						handlers={handlers}
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
