import {type ControlParams} from '../../control/methods.ts';
import {type CallJson, type ServerJson, type ToolJson} from '../../control/wire.ts';
import {type Wanted} from '../../gateway/wanted-servers.ts';
import {type CommandContext} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

/** The tool servers as commands see them, whichever process holds them. */
export type ToolAccess = {
	readonly list: (options: {readonly signal: AbortSignal}) => Promise<readonly ServerJson[]>;
	readonly tools: (options: {readonly signal: AbortSignal}) => Promise<readonly ToolJson[]>;
	readonly call: (call: ControlParams<'mcp.call'>, options: {readonly signal: AbortSignal}) => Promise<CallJson>;
	readonly close: () => Promise<void> | void;
};

/** Connects the servers that are wanted in this process, without a lock and without a webhook listener. */
export type OpenCore = (options: {
	readonly signal: AbortSignal;
	readonly wanted: Wanted;
	/** For the person: what is waited for, and what is missing. */
	readonly report: (text: string) => void;
}) => Promise<ToolAccess>;

/** Gives `use` the servers of the running gateway, or those of them that are wanted in this process when none runs (docs/configuration.md, State directory). */
export async function withToolAccess<Result>(
	context: CommandContext,
	{openCore, wanted}: {readonly openCore: OpenCore; readonly wanted: Wanted},
	use: (access: ToolAccess) => Promise<Result>,
): Promise<Result> {
	const client = await connectGateway(context);
	const access: ToolAccess = client
		? {
				list: options => client.call('mcp.list', {}, options),
				tools: options => client.call('mcp.tools', {}, options),
				call: (call, options) => client.call('mcp.call', call, options),
				close: client.close,
			}
		: await openCore({signal: context.signal, wanted, report: text => context.stderr(`sluice: ${text}\n`)});
	try {
		return await use(access);
	} finally {
		await access.close();
	}
}
