import {decide} from '../approvals/policy.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {rulesForTool} from '../approvals/rule-verdict.ts';
import {type ToolRow} from '../state/view-event.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {safeText} from '../util/safe-text.ts';
import {safeHints} from './approval-request.ts';
import {listRules, readableRules, type RuleState} from './call-rules.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {type ListedTool} from './server-tools.ts';
import {showJson} from './show-arguments.ts';

/** The size of all schemas in one list; further tools have none. */
const maxSchemaCharacters = 2_000_000;
const maxCharactersPerSchema = 50_000;

const sizeOf = memoizeByObject((schema: JsonObject) => JSON.stringify(schema).length);
/** The view is opened again and again. */
const showSchema = memoizeByObject(showJson);

/** The decisions about calls before they are made. */
type DecidedBefore = {
	readonly remembered: ReturnType<RememberedRules['list']>;
	readonly rules: RuleState;
};

/** The tools of a server for the tool view: callable ones, and the reasons why others are not. `tokensOf`: what a definition costs a model. */
export function toolRows(
	offered: readonly ListedTool[],
	decided: DecidedBefore,
	tokensOf: (tool: ListedTool['tool']) => number | undefined,
): ToolRow[] {
	let room = maxSchemaCharacters;
	return offered.map(({tool, state, reason}) => {
		const {title, description, inputSchema, annotations} = tool.definition;
		const size = sizeOf(inputSchema);
		const isShown = state !== 'unusable' && size <= Math.min(room, maxCharactersPerSchema);
		room -= isShown ? size : 0;
		const rules = state === 'registered' ? listRules(rulesOf(tool, decided.rules) ?? []) : [];
		const schema = isShown ? showSchema(inputSchema) : undefined;
		const tokens = tokensOf(tool);
		return {
			name: tool.name,
			server: safeText(tool.server),
			tool: safeText(tool.tool, {maximumCharacters: 200}),
			title: safeText(title ?? annotations?.title ?? '', {maximumCharacters: 200}),
			description: safeText(description ?? '', {maximumCharacters: 1000, multiline: true}),
			...(isJsonObject(schema) && {inputSchema: schema}),
			hints: safeHints(annotations ?? {}),
			trust: tool.trust,
			approval: approvalNeed(tool, decided),
			...(rules.length > 0 && {rules}),
			state,
			...(tokens !== undefined && {tokens}),
			...(reason !== undefined && {reason}),
		};
	});
}

/** A tool as rules and remembered approvals find it. */
type KnownTool = Pick<RegisteredTool, 'name' | 'server' | 'tool' | 'fingerprint' | 'trust' | 'definition'>;

/** Undefined while the rules cannot be read. */
function rulesOf({name, server, tool}: KnownTool, state: RuleState): ReturnType<typeof rulesForTool> | undefined {
	const rules = readableRules(state);
	return rules && rulesForTool(rules, {server, tool, registeredName: name});
}

/**
The approval of calls of this tool: they ask for it, or pass because of its trust or a remembered approval. A rule that denies or asks for some of them
counts for all; one that allows some changes nothing.
*/
export function approvalNeed(tool: KnownTool, {remembered, rules}: DecidedBefore): ToolRow['approval'] {
	const {server, fingerprint, trust, definition} = tool;
	const readOnlyHint = definition.annotations?.readOnlyHint;
	const approved = remembered.filter(rule => rule.scope !== 'run' && rule.server === server && rule.tool === tool.tool);
	const isRemembered = approved.some(rule => rule.fingerprint === fingerprint && rule.state === 'valid');
	const isChanged = approved.length > 0 && !isRemembered;
	const mayAsk = rulesOf(tool, rules)?.some(({action}) => action !== 'allow') ?? true;
	const decision = decide({
		trust,
		readOnlyHint,
		remembered: isRemembered,
		rules: mayAsk ? 'ask' : 'none',
		approval: trust === 'untrusted' && isChanged ? 'fresh' : 'as-needed',
	});
	return decision === 'run' ? 'none' : decision === 'run-as-remembered' ? 'remembered' : 'ask';
}
