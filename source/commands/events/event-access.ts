import {type ControlParams} from '../../control/methods.ts';
import {type EventDetailJson, type EventRowJson} from '../../control/wire.ts';
import {type CommandContext} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

/** The stored webhook events, whichever process has the journal open. */
export type EventAccess = {
	readonly list: (query: ControlParams<'events.list'>) => Promise<readonly EventRowJson[]>;
	readonly show: (id: string) => Promise<EventDetailJson | null>;
	readonly close: () => Promise<void> | void;
};

/** Opens the journal in this process. */
export type OpenEvents = () => Promise<EventAccess>;

/** Gives `use` the journal of the running gateway, or opens it in this process when none runs (docs/configuration.md, State directory). */
export async function withEventAccess<Result>(
	context: CommandContext,
	openEvents: OpenEvents,
	use: (access: EventAccess) => Promise<Result>,
): Promise<Result> {
	const client = await connectGateway(context);
	const options = {signal: context.signal};
	const access: EventAccess = client
		? {
				list: query => client.call('events.list', query, options),
				show: id => client.call('events.show', {id}, options),
				close: client.close,
			}
		: await openEvents();
	try {
		return await use(access);
	} finally {
		await access.close();
	}
}
