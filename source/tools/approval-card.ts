import {type ApprovalRequest} from '../approvals/desk.ts';
import {safeOrigin} from '../state/origin.ts';
import {safeText} from '../util/safe-text.ts';
import {type AdmittedCall} from './admit.ts';
import {payloadPaths} from './payload-paths.ts';
import {safeHints} from './safe-hints.ts';
import {showArguments} from './show-arguments.ts';

/** What a card tells beside the call itself. */
export type CardNotes = {
	/** Command line or address of the server, secrets masked. */
	readonly address: string;
	/** How the definition differs from the one that was approved before; safe to show. */
	readonly definitionChange: string | undefined;
};

/** What a person sees of a call before it runs (spec/decisions.md, D7). Every text from outside is made safe here. */
export function approvalCard(call: AdmittedCall, {address, definitionChange}: CardNotes): ApprovalRequest {
	const {tool, connection} = call;
	const paths = payloadPaths(call.arguments, call.untrusted);
	return {
		kind: 'tool-call',
		server: tool.server,
		tool: short(tool.tool),
		registeredName: tool.name,
		trust: tool.trust,
		transport: connection.config.transport.kind,
		address: safeText(address),
		hints: safeHints(tool.definition.annotations ?? {}),
		description: safeText(tool.definition.description ?? '', {maximumCharacters: 4000, multiline: true}),
		arguments: showArguments(call.arguments),
		argumentsHash: call.argumentsHash(),
		...(definitionChange === undefined ? {} : {definitionChange}),
		...(paths.length > 0 && {payloadPaths: paths}),
		origin: safeOrigin(call.origin),
	};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
