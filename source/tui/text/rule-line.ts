import {type Line, span} from './span.ts';
import {signs} from './status-text.ts';
import {type Tone} from './theme.ts';
import {textWidth} from './text-width.ts';

/** A rule across the width that carries a title. */
export function ruleLine(title: string, width: number, tone: Tone = 'dim'): Line {
	const text = title === '' ? '' : ` ${title} `;
	return [
		span(signs.rule, 'dim'),
		span(text, tone),
		span(signs.rule.repeat(Math.max(0, width - 1 - textWidth(text))), 'dim'),
	];
}
