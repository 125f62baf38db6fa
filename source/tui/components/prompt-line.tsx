import {type JSX} from 'react';
import {type TextField} from '../state/text-field.ts';
import {LineText} from '../text/line-text.tsx';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {graphemes, textWidth} from '../text/text-width.ts';

type PromptLineProps = {
	readonly label: string;
	readonly field: TextField;
	/** Shown while the field is empty. */
	readonly placeholder: string;
	/** Text that Tab would add. */
	readonly completion?: string;
	readonly width: number;
};

/** A text field in one line, after its label. Its keys are in the keymap: `TextInput` of @inkjs/ui knows none of readline, and keeps its text to itself. */
export function PromptLine(props: PromptLineProps): JSX.Element {
	const {label, field, placeholder, completion = '', width} = props;
	const room = Math.max(2, width - textWidth(label));
	const line = field.value === '' ? emptyLine(placeholder) : fieldLine(field, completion, room);
	return <LineText line={[span(label, 'strong'), ...line]} width={width} />;
}

function emptyLine(placeholder: string): Line {
	return [span(placeholder.slice(0, 1) || ' ', 'selected'), span(placeholder.slice(1), 'dim')];
}

/** The part of a text around its cursor that fits into `room` cells; a third of them is for what follows the cursor. */
function fieldLine({value, cursor}: TextField, completion: string, room: number): Line {
	const [under = '', ...others] = graphemes(value.slice(cursor, cursor + room * maxUnits));
	const after = others.join('');
	const here = under || completion.slice(0, 1) || ' ';
	const ahead = under === '' ? completion.slice(1) : completion;
	const before = endToWidth(
		value.slice(0, cursor),
		room - textWidth(here) - Math.min(textWidth(after), Math.floor(room / 3)),
	);
	return [span(before), span(here, 'selected'), span(after), span(ahead, 'dim')];
}

/** Code units that are looked at for each cell: a text of many pages is not measured for each key. */
const maxUnits = 4;

/** The end of a text in at most `width` cells; a cut begins with `…`. */
function endToWidth(text: string, width: number): string {
	const near = text.slice(-Math.max(1, width) * maxUnits);
	if (near.length === text.length && textWidth(text) <= width) {
		return text;
	}

	const kept: string[] = [];
	let left = width - 1;
	for (const character of graphemes(near).toReversed()) {
		left -= textWidth(character);
		if (left < 0) {
			break;
		}

		kept.unshift(character);
	}

	return uiText`…${kept.join('')}`;
}
