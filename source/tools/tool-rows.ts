import {decide} from '../approvals/policy.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {type ToolRow} from '../state/view-event.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {safeText} from '../util/safe-text.ts';
import {safeHints} from './approval-request.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {type ListedTool} from './server-tools.ts';
import {showJson} from './show-arguments.ts';

/** The size of all schemas in one list; further tools have none. */
const mostSchemaCharacters = 2_000_000;
const mostCharactersPerSchema = 50_000;

const sizeOf = memoizeByObject((schema: JsonObject) => JSON.stringify(schema).length);
/** The view is opened again and again. */
const showSchema = memoizeByObject(showJson);

/** The tools of a server for the tool view: callable ones, and the reasons why others are not. */
export function toolRows(offered: readonly ListedTool[], rules: ReturnType<RememberedRules['list']>): ToolRow[] {
	let room = mostSchemaCharacters;
	return offered.map(({tool, state, reason}) => {
		const {title, description, inputSchema, annotations} = tool.definition;
		const size = sizeOf(inputSchema);
		const isShown = state !== 'unusable' && size <= Math.min(room, mostCharactersPerSchema);
		room -= isShown ? size : 0;
		const schema = isShown ? showSchema(inputSchema) : undefined;
		return {
			name: tool.name,
			server: safeText(tool.server),
			tool: safeText(tool.tool, {maximumCharacters: 200}),
			title: safeText(title ?? annotations?.title ?? '', {maximumCharacters: 200}),
			description: safeText(description ?? '', {maximumCharacters: 1000, multiline: true}),
			...(isJsonObject(schema) && {inputSchema: schema}),
			hints: safeHints(annotations ?? {}),
			trust: tool.trust,
			approval: approvalNeed(tool, rules),
			state,
			...(reason !== undefined && {reason}),
		};
	});
}

/** Whether a call of this tool would ask for approval, or pass because of its trust or a remembered approval. */
export function approvalNeed(
	tool: Pick<RegisteredTool, 'server' | 'fingerprint' | 'trust' | 'definition'>,
	rules: ReturnType<RememberedRules['list']>,
): 'none' | 'ask' | 'remembered' {
	const {server, fingerprint, trust, definition} = tool;
	const readOnlyHint = definition.annotations?.readOnlyHint;
	if (decide({trust, readOnlyHint, remembered: false}) !== 'ask') {
		return 'none';
	}

	const isRemembered = rules.some(
		rule =>
			rule.scope !== 'run' && rule.server === server && rule.fingerprint === fingerprint && rule.state === 'valid',
	);
	return isRemembered ? 'remembered' : 'ask';
}
