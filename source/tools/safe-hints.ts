import {type ToolHints} from '../state/approval-event.ts';
import {safeText} from '../util/safe-text.ts';

/** Only real booleans are hints; the rest of what a server wrote is not shown as one. */
export function safeHints(hints: ToolHints): ToolHints {
	const {title, ...flags} = hints;
	const names = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
	return {
		...(typeof title === 'string' ? {title: safeText(title, {maximumCharacters: 200})} : {}),
		...Object.fromEntries(names.filter(name => typeof flags[name] === 'boolean').map(name => [name, flags[name]])),
	};
}
