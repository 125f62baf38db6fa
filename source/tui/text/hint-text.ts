import {own} from './own-signs.ts';
import {type ToolHints} from '../../state/approval-event.ts';

/** What a server claims about its tool, in words. */
export function hintText(hints: ToolHints): string {
	const words = [
		hints.readOnlyHint === true ? 'read-only' : '',
		hints.destructiveHint === true ? 'destructive' : '',
		hints.destructiveHint === false ? 'not destructive' : '',
		hints.openWorldHint === true ? 'open world' : '',
		hints.idempotentHint === true ? 'idempotent' : '',
		hints.idempotentHint === false ? 'not idempotent' : '',
	].filter(word => word !== '');
	return words.length === 0 ? 'no hints' : words.join(own` · `);
}
