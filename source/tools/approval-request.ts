import {type NewApproval} from '../approvals/approval-queue.ts';
import {
	type ApprovalGrants,
	type HiddenArguments,
	type Masks,
	type ToolHints,
	type FullRequest,
} from '../state/approval-event.ts';
import {safeOrigin} from '../state/origin.ts';
import {exactHead, exactLine, exactLines, exactText} from '../util/exact-text.ts';
import {type JsonObject, type JsonValue} from '../util/json-text.ts';
import {countMarked} from '../util/characters/marked-characters.ts';
import {type FindSecrets} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {maskedJson, fullLimits} from '../util/shown-json.ts';
import {maskArguments} from './show-arguments.ts';
import {type ValidatedCall} from './validate-call.ts';

/** The facts for a person besides the call itself. */
export type ApprovalNotes = {
	/** Command line or address of the server, secrets masked; safe to show. */
	readonly address: string;
	/** The difference of the definition from the approved one; safe to show. */
	readonly definitionChange: string | undefined;
	/** Finds known secrets. */
	readonly partsOf: FindSecrets;
};

const maxNameCharacters = 200;
const maxDescriptionCharacters = 4000;

/** The approval request for a call before it runs (docs/approvals.md, How approvals end). Untrusted texts are made safe to show here. */
export function approvalRequest(call: ValidatedCall, {address, definitionChange, partsOf}: ApprovalNotes): NewApproval {
	const {tool, connection} = call;
	const paths = payloadPaths(call.arguments, call.untrusted);
	const {value, ...hidden} = maskArguments(call.arguments, partsOf);
	return {
		kind: 'tool-call',
		server: tool.server,
		tool: exactHead(tool.tool, maxNameCharacters, exactLine),
		registeredName: tool.name,
		trust: tool.trust,
		transport: connection.config.transport.kind,
		address,
		hints: safeHints(tool.definition.annotations ?? {}),
		description: exactHead(tool.definition.description ?? '', maxDescriptionCharacters, exactLines),
		arguments: value,
		...withName(hidden, tool.tool),
		...(tool.grants && {grants: grantsOf(call, tool.grants, partsOf)}),
		argumentsHash: call.argumentsHash(),
		...(definitionChange === undefined ? {} : {definitionChange}),
		...(paths.length > 0 && {payloadPaths: paths}),
		origin: safeOrigin(call.origin),
	};
}

/** A person cannot allow what they were not shown: not even the full page shows a masked value, or more than its limit. */
function grantsOf(
	call: ValidatedCall,
	grants: NonNullable<ValidatedCall['tool']['grants']>,
	partsOf: FindSecrets,
): ApprovalGrants {
	if (grants !== 'once-unmasked') {
		return grants;
	}

	const {maskedValues, cutBytes} = fullCall(call, 'on', partsOf);
	return maskedValues > 0 || cutBytes > 0 ? 'nothing' : 'once';
}

const maxFullDescriptionCharacters = 100_000;

/** A call in full length, for a person at a console of this process. */
export function fullCall(call: ValidatedCall, masks: Masks, partsOf: FindSecrets): FullRequest {
	const {tool, definition, server} = call.tool;
	const {value, ...hidden} = maskedJson(call.arguments, {
		room: fullLimits,
		masks: masks === 'on' ? {names: 'secret', partsOf} : undefined,
	});
	return {
		server,
		tool: exactLine(tool),
		description: exactHead(definition.description ?? '', maxFullDescriptionCharacters, exactLines),
		arguments: value,
		...withName(hidden, tool),
	};
}

/** Its name is a text of the server, too. */
function withName(hidden: HiddenArguments, tool: string): HiddenArguments {
	return {...hidden, markedCharacters: hidden.markedCharacters + countMarked(tool)};
}

/** Shorter values occur in any text by chance. */
const fewestCharacters = 3;
const maxPaths = 200;

/** The cost of a search grows with the text, so a huge call is not searched completely. */
const maxValues = 2000;

/**
The paths (`labels.0`) of the argument values that occur word for word in outsiders' text, plain or escaped as in JSON
(docs/approvals.md, Answer from the dashboard); 200 at most. Names are escaped for display.
*/
export function payloadPaths(args: JsonObject, untrusted: string): readonly string[] {
	const paths: string[] = [];
	let values = 0;
	for (const [path, text] of valuesOf(args, '')) {
		values += 1;
		if (paths.length === maxPaths || values > maxValues) {
			break;
		}

		if (text.length >= fewestCharacters && (untrusted.includes(text) || untrusted.includes(escaped(text)))) {
			paths.push(path);
		}
	}

	return paths;
}

/** Every string and number of a value with its path, in order. Arguments are nested at most 200 levels deep (`validateCall`). */
function* valuesOf(value: JsonValue, path: string): Generator<readonly [path: string, text: string]> {
	if (typeof value === 'string' || typeof value === 'number') {
		yield [path, String(value)];
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, member] of Object.entries(value)) {
			const shown = exactText(name);
			yield* valuesOf(member, path === '' ? shown : `${path}.${shown}`);
		}
	}
}

/** A string as JSON writes it, without the quotation marks. */
function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** The hints of a tool, safe to show. Values that are not booleans are left out. */
export function safeHints(hints: ToolHints): ToolHints {
	const {title, ...flags} = hints;
	const names = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
	return {
		...(typeof title === 'string' ? {title: safeText(title, {maximumCharacters: 200})} : {}),
		...Object.fromEntries(names.filter(name => typeof flags[name] === 'boolean').map(name => [name, flags[name]])),
	};
}
