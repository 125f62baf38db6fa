import {type ControlParams} from '../../control/methods.ts';
import {type EventDetailJson, type EventRowJson} from '../../control/wire.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Closable, withGateway} from '../cli/connect-gateway.ts';

/** The stored webhook events, whichever process has the journal open. */
export type EventAccess = {
	readonly list: (query: ControlParams<'events.list'>) => Promise<readonly EventRowJson[]>;
	readonly show: (id: string) => Promise<EventDetailJson | null>;
};

/** Opens the journal in this process. */
export type OpenEvents = () => Promise<EventAccess & Closable>;

/** Gives `use` the journal of the running gateway, or opens it in this process. */
export function withEvents<Result>(
	context: CommandContext,
	openEvents: OpenEvents,
	use: (access: EventAccess) => Promise<Result>,
): Promise<Result> {
	const {signal} = context;
	return withGateway<EventAccess, Result>(
		context,
		{
			remote: client => ({
				list: query => client.call('events.list', query, {signal}),
				show: id => client.call('events.show', {id}, {signal}),
			}),
			local: openEvents,
		},
		use,
	);
}
