import {type NewApproval} from '../approvals/approval-queue.ts';
import {safeOrigin} from '../state/origin.ts';
import {exactHead, exactLine, exactLines} from '../util/exact-text.ts';
import {type ValidatedCall} from './validate-call.ts';
import {payloadPaths} from './payload-paths.ts';
import {safeHints} from './safe-hints.ts';
import {type FindSecrets, showArguments} from './show-arguments.ts';

export {wholeCall} from './whole-call.ts';

/** What a card tells beside the call itself. */
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
