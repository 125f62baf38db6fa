import {type CallGateway} from './api.ts';
import {type Command} from './command.ts';
import {type ViewEvent} from './view-event.ts';

type CommandOf<Type extends Command['type']> = Extract<Command, {readonly type: Type}>;

/** Reads the page or list that a command asks for. */
export function readView(
	command: CommandOf<
		| 'show-server'
		| 'show-server-calls'
		| 'show-server-log'
		| 'show-tools'
		| 'show-event'
		| 'show-call'
		| 'show-decision'
		| 'show-delivery'
		| 'show-run'
		| 'show-trace'
		| 'dry-run-event'
	>,
	call: CallGateway,
): Promise<ViewEvent> {
	switch (command.type) {
		case 'show-server':
			return call('mcp.view', {server: command.server, part: command.part});
		case 'show-server-calls':
			return call('mcp.view-calls', {server: command.server});
		case 'show-server-log':
			return call('mcp.view-log', {server: command.server});
		case 'show-tools':
			return call('mcp.view-tools', command.server === undefined ? {} : {server: command.server});
		case 'show-event':
			return call('events.view', {id: command.eventId, part: command.part});
		case 'show-call':
			return call('calls.view', {id: command.callId, part: command.part});
		case 'show-decision':
			return call('decisions.view', {id: command.id, part: command.part});
		case 'show-delivery':
			return call('deliveries.view', {id: command.id, part: command.part});
		case 'show-run':
			return call('runs.view', {id: command.runId, part: command.part});
		case 'show-trace':
			return call('traces.view', {subject: command.subject, part: command.part});
		case 'dry-run-event':
			return call('events.dry-run', {id: command.eventId});
	}
}
