import {type NewApproval} from '../approvals/approval-queue.ts';
import {type Masks, type ToolHints, type WholeRequest} from '../state/approval-event.ts';
import {safeOrigin} from '../state/origin.ts';
import {exactHead, exactLine, exactLines, exactText} from '../util/exact-text.ts';
import {type JsonObject, type JsonValue} from '../util/json-text.ts';
import {type FindSecrets} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {shownJson, wholeLimits} from '../util/shown-json.ts';
import {showArguments} from './show-arguments.ts';
import {type ValidatedCall} from './validate-call.ts';

/** What a person needs to know beside the call itself. */
export type ApprovalNotes = {
	/** Command line or address of the server, secrets masked; safe to show. */
	readonly address: string;
	/** How the definition differs from the one that was approved before; safe to show. */
	readonly definitionChange: string | undefined;
	/** Finds known secrets. */
	readonly partsOf: FindSecrets;
};

const mostNameCharacters = 200;
const mostDescriptionCharacters = 4000;

/** What a person sees of a call before it runs (docs/approvals.md, How approvals end). Every text from outside is made fit to be shown here. */
export function approvalRequest(call: ValidatedCall, {address, definitionChange, partsOf}: ApprovalNotes): NewApproval {
	const {tool, connection} = call;
	const paths = payloadPaths(call.arguments, call.untrusted);
	const {value, ...hidden} = showArguments(call.arguments, partsOf);
	return {
		kind: 'tool-call',
		server: tool.server,
		tool: exactHead(tool.tool, mostNameCharacters, exactLine),
		registeredName: tool.name,
		trust: tool.trust,
		transport: connection.config.transport.kind,
		address,
		hints: safeHints(tool.definition.annotations ?? {}),
		description: exactHead(tool.definition.description ?? '', mostDescriptionCharacters, exactLines),
		arguments: value,
		...hidden,
		argumentsHash: call.argumentsHash(),
		...(definitionChange === undefined ? {} : {definitionChange}),
		...(paths.length > 0 && {payloadPaths: paths}),
		origin: safeOrigin(call.origin),
	};
}

const mostWholeDescriptionCharacters = 100_000;

/** A call with nothing left out, for a person at a console of this process. */
export function wholeCall(call: ValidatedCall, masks: Masks, partsOf: FindSecrets): WholeRequest {
	const {tool, definition, server} = call.tool;
	const {value, ...hidden} = shownJson(call.arguments, {
		room: wholeLimits,
		masks: masks === 'on' ? {names: 'secret', partsOf} : undefined,
	});
	return {
		server,
		tool: exactLine(tool),
		description: exactHead(definition.description ?? '', mostWholeDescriptionCharacters, exactLines),
		arguments: value,
		...hidden,
	};
}

/** Shorter values occur in every text by chance. */
const fewestCharacters = 3;
const mostPaths = 200;

/** A search costs as much as the text is long, so not every member of a huge call is looked up. */
const mostValues = 2000;

/**
The paths (`labels.0`) of the argument values that occur word for word in a text of outsiders, plain or escaped as in JSON
(docs/approvals.md, Answer from the dashboard); 200 at most. Names are escaped as they are shown.
*/
export function payloadPaths(args: JsonObject, untrusted: string): readonly string[] {
	const paths: string[] = [];
	let values = 0;
	for (const [path, text] of valuesOf(args, '')) {
		values += 1;
		if (paths.length === mostPaths || values > mostValues) {
			break;
		}

		if (text.length >= fewestCharacters && (untrusted.includes(text) || untrusted.includes(escaped(text)))) {
			paths.push(path);
		}
	}

	return paths;
}

/** Every text and number of a value with its path, in order. Arguments are nested 200 levels deep at most (`validateCall`). */
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

/** A text as JSON writes it between its quotation marks. */
function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** The hints of a tool, safe to show. Anything but a boolean is left out, whatever the server wrote. */
export function safeHints(hints: ToolHints): ToolHints {
	const {title, ...flags} = hints;
	const names = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
	return {
		...(typeof title === 'string' ? {title: safeText(title, {maximumCharacters: 200})} : {}),
		...Object.fromEntries(names.filter(name => typeof flags[name] === 'boolean').map(name => [name, flags[name]])),
	};
}
