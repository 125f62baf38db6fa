import {type Binding, keymap, type Scope} from './keymap.ts';
import {type Line, lineWidth, lineWithEnd, type Span, span} from './span.ts';

/** The last line: the most useful keys of these scopes, as many as fit; help and quit keep their place at the end. */
export function footerLine(scopes: readonly Scope[], width: number): Line {
	const hints = keymap.filter(binding => binding.hint !== undefined && scopes.includes(binding.scope));
	const isLast = (binding: Binding) => binding.action === 'help' || binding.action === 'quit';
	const end = hints.filter(isLast).flatMap(hintSpans);
	const room = width - lineWidth(end) - 1;
	const start: Span[] = [span(' ')];
	for (const binding of hints.filter(binding => !isLast(binding))) {
		const next = hintSpans(binding);
		if (lineWidth([...start, ...next]) <= room) {
			start.push(...next);
		}
	}

	return lineWithEnd(start, end, width);
}

function hintSpans(binding: Binding): Span[] {
	return [span(binding.keys[0] ?? '', 'accent'), span(` ${binding.hint ?? ''}  `, 'dim')];
}
