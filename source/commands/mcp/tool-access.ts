import {type ControlParams} from '../../control/methods.ts';
import {type CallJson, type ServerJson, type ToolJson} from '../../control/wire.ts';
import {type Wanted} from '../../gateway/wanted-servers.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Closable, withGateway} from '../cli/connect-gateway.ts';

/** The tool servers as commands see them, whichever process holds them. */
export type ToolAccess = {
	readonly list: (options: {readonly signal: AbortSignal}) => Promise<readonly ServerJson[]>;
	readonly tools: (options: {readonly signal: AbortSignal}) => Promise<readonly ToolJson[]>;
	readonly call: (
		call: ControlParams<'mcp.call'>,
		options: {
			readonly signal: AbortSignal;
			/** Called when a person is asked, with the id of the approval; undefined when nobody can answer: no gateway runs. */
			readonly onWaiting?: (id: string | undefined) => void;
			/** Called when the call waits because everything is held. */
			readonly onHeld?: () => void;
		},
	) => Promise<CallJson>;
};

/** Connects the servers that are wanted in this process, without a lock and without a webhook listener. */
export type OpenTools = (options: {
	readonly signal: AbortSignal;
	readonly wanted: Wanted;
	/** For the person: what is waited for, and what is missing. */
	readonly report: (text: string) => void;
}) => Promise<ToolAccess & Closable>;

/** Gives `use` the servers of the running gateway, or those that are wanted, connected in this process. */
export function withTools<Result>(
	context: CommandContext,
	{openTools, wanted}: {readonly openTools: OpenTools; readonly wanted: Wanted},
	use: (access: ToolAccess) => Promise<Result>,
): Promise<Result> {
	const report = (text: string) => context.stderr(`sluice: ${text}\n`);
	return withGateway<ToolAccess, Result>(
		context,
		{
			remote: client => ({
				list: options => client.call('mcp.list', {}, options),
				tools: options => client.call('mcp.tools', {}, options),
				call: (call, {signal, onWaiting, onHeld}) =>
					client.call('mcp.call', call, {
						signal,
						onEvent({type, id}) {
							if (type === 'approval.waiting' && typeof id === 'string') {
								onWaiting?.(id);
							} else if (type === 'hold.waiting') {
								onHeld?.();
							}
						},
					}),
			}),
			local: () => openTools({signal: context.signal, wanted, report}),
		},
		use,
	);
}
