import {idleActions} from '../input/idle-actions.ts';
import {type Binding, keymap} from '../state/keymap.ts';
import {scopesOf} from '../input/scopes.ts';
import {type Line, lineWidth, lineWithEnd, type Span, span} from '../text/span.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

/** The last line: the most useful keys of what owns them, as many as fit, without those that are idle; help and quit keep their place at the end. */
export function footerLine(ui: UiState, context: UiContext, width: number): Line {
	const scopes = scopesOf(ui, context);
	const idle = idleActions(ui, context);
	const hints = keymap.filter(
		({hint, scope, action}) => hint !== undefined && scopes.includes(scope) && !idle.includes(action),
	);
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
