import {own, type Line, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {type Toast} from '../state/ui-state.ts';

/** So much of the screen a passing word may take. */
const longestRows = 3;

/** A passing word in lines: whole where three rows hold it, else with its end in the log. */
export function toastLines({text, tone}: Toast, width: number): readonly Line[] {
	const lines = wrapToWidth(text.replaceAll('\n', ' '), width - 2);
	const shown = lines.slice(0, longestRows);
	return shown.map(
		(line, index): Line =>
			index === longestRows - 1 && lines.length > longestRows
				? [span(` ${line.slice(0, width - 20)}`, tone), span(own`… more in 4 Log`, 'dim')]
				: [span(` ${line}`, tone)],
	);
}
