import {type Journal} from '../../journal/journal.ts';
import {type TaskClient} from '../../journal/rows/task-rows.ts';
import {createTaskService, type TaskService} from '../../tools/endpoint/client-tasks.ts';
import {type AdmittedClient} from '../../tools/endpoint/evaluate-task.ts';
import {errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {claimedClient} from './endpoint-clients.ts';
import {type ToolService} from './tool-service.ts';

/** The clients of the endpoint with tokens, by name; undefined while they are not known. Any other name is that of a client which was removed. */
export type KnownClients = ReadonlyMap<string, AdmittedClient> | undefined;

/** The tasks of a profile, for the clients of its endpoint (docs/endpoint.md, Tasks). */
export type EndpointTasks = Pick<TaskService, 'of' | 'serversChanged' | 'recover' | 'close'> & {
	/** Says which clients there are now. Without any the tasks wait. */
	readonly admit: (clients: KnownClients) => void;
};

/** Opens the tasks of a profile; none is taken over before `recover`. */
export function openEndpointTasks(
	context: OpenProfile,
	journal: Journal,
	options: {readonly tools: ToolService; readonly isShared: () => boolean},
): EndpointTasks {
	const {clock, current, paths, publish, redactor} = context;
	const {tools, isShared} = options;
	let known: KnownClients;
	const clientOf = ({kind, name}: TaskClient): AdmittedClient =>
		kind === 'token'
			? (known?.get(name) ?? {kind: known ? 'removed' : 'unknown'})
			: claimedClient({context, tools}, name === '' ? undefined : name);
	const service = createTaskService({
		clock,
		time: tools.hold.time,
		journal,
		profile: paths.profile,
		ttlMilliseconds: () => current().config.gateway.endpoint.taskTtlSeconds * 1000,
		clientOf,
		isToolMissing: server =>
			!current().config.servers.some(({name}) => name === server) ||
			tools.catalogue.list().some(tool => tool.server === server),
		async resultOf(ended) {
			const {callResult, throwServerError} = await import('../../tools/endpoint/answer-call.ts');
			throwServerError(ended.outcome, {redact: redactor.redact, server: ended.server});
			return callResult(ended, redactor.redact);
		},
		isShared,
		onProblem(caught) {
			const text = `A task of a client cannot be written: ${safeText(errorText(caught))}`;
			publish({type: 'log', level: 'warning', area: 'endpoint', text});
		},
	});
	return {
		...service,
		admit(clients) {
			known = clients;
			service.clientsChanged();
		},
	};
}
