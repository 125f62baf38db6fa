import {parseInstallLink} from '../../config/import/install-link.ts';
import {type GatewayHandlers, type HandlerCall} from '../../control/methods.ts';
import {type MethodName} from '../../state/api.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {eventJson} from '../../state/event-json.ts';
import {Problem} from '../../util/problem.ts';
import {type Profiles} from '../services/profiles.ts';
import {storedEvents} from '../pages/stored-events.ts';
import {approvalHandlers} from './approvals.ts';
import {callHandlers} from './calls.ts';
import {completionMethods} from './completion.ts';
import {cronMethods} from './cron.ts';
import {storedDeliveries} from './deliveries.ts';
import {eventHandlers, viewHandlers} from './events.ts';
import {type Caller, type GatewayParts, type HandlerContext} from './handler-context.ts';
import {handshakeHandlers} from './handshakes.ts';
import {holdHandlers} from './hold.ts';
import {loginHandlers} from './logins.ts';
import {questionHandlers} from './questions.ts';
import {rehearsalHandlers} from './rehearsals.ts';
import {ruleProposalHandlers} from './rule-proposals.ts';
import {askerHandlers, ruleHandlers} from './rules.ts';
import {runHandlers} from './runs.ts';
import {serverHandlers} from './servers.ts';
import {liveStatus} from './status.ts';
import {serveTools} from './tools.ts';
import {uncertainHandlers} from './uncertain.ts';

/** Finds the handlers for a caller and the profile it names. Throws `unknown_profile`. */
export type HandlersOf = (profile: string | undefined, caller: Caller, method?: MethodName) => GatewayHandlers;

/** Runs and inbox items outlive the service of their profile; the first one then answers for them. */
const aboutRuns: ReadonlySet<MethodName> = new Set<MethodName>([
	'runs.follow-up',
	'runs.cancel',
	'runs.answer',
	'runs.close',
]);

/** Creates the handlers of a gateway: a caller that names no profile sees the servers, approvals, runs and calls of all, and everything else of the first. */
export function createHandlers(parts: GatewayParts & {readonly profiles: Profiles}): HandlersOf {
	const {profiles} = parts;
	return (name, caller, method) => {
		const isOfRun = caller.kind === 'console' && method !== undefined && aboutRuns.has(method);
		const asked = isOfRun ? (profiles.all.find(one => one.name === name) ?? profiles.first) : profiles.find(name);
		return handlersFor({
			...parts,
			caller,
			profile: asked,
			first: profiles.first.name,
			named: name,
			config: () => profiles.first.context.current().config,
			listed: name === undefined ? profiles.all : [asked],
		});
	};
}

function handlersFor(handlerContext: HandlerContext): GatewayHandlers {
	const {profile, reload, caller} = handlerContext;
	const {context, tools, tasks, cron, proposals} = profile;
	return {
		status: () => statusOf(handlerContext),
		...holdHandlers(handlerContext),
		reload,
		stop() {
			handlerContext.onStopAsked();
			return {};
		},
		...serverHandlers(handlerContext),
		...loginHandlers(handlerContext),
		...callHandlers(handlerContext),
		'mcp.serve': ({client}, call) => serveTools({context, tools, tasks}, client, call),
		async 'mcp.install'({link}, {signal}) {
			// Read again: the process behind the socket may be another version of the program.
			const install = parseInstallLink(link);
			return tools.approvals.hasConsole() ? proposals.propose(install, {signal}) : {outcome: 'unattended'};
		},
		async 'proposals.answer'({id, answer}) {
			if ((await proposals.answer(id, answer)) === 'installed') {
				await reload();
			}

			return {};
		},
		...approvalHandlers(handlerContext),
		...questionHandlers(handlerContext),
		...refusedWithoutJournal(
			{
				...askerHandlers(handlerContext),
				...uncertainHandlers(handlerContext),
				...runHandlers(handlerContext),
				...eventHandlers(handlerContext),
			},
			handlerContext,
		),
		...viewHandlers(handlerContext),
		...handshakeHandlers(handlerContext),
		...ruleHandlers(handlerContext),
		...ruleProposalHandlers(handlerContext),
		...rehearsalHandlers(handlerContext),
		...cronMethods(cron, caller),
		...completionMethods(profile, {
			...handlerContext,
			stored: storedEvents({...handlerContext, ...context, profile: handlerContext.named}),
			deliveries: storedDeliveries({...handlerContext, ...context, profile: handlerContext.named}),
		}),
		'events.follow': (_, call) => followEvents(listenTo(handlerContext.named, context.eventBus), call),
	};
}

/** The counts include the requests that wait at other gateways. */
async function statusOf(handlerContext: HandlerContext) {
	const {profile, events, endpoint, nodes} = handlerContext;
	const {context} = profile;
	await nodes.showOthers();
	return {
		version: context.version,
		pid: process.pid,
		profile: context.paths.profile,
		webhook_url: events.url(),
		...(endpoint.state() && {endpoint: endpoint.state()}),
		...liveStatus(context, handlerContext),
	};
}

/** These methods, refused while the journal cannot be used: it finds nothing then, which would read as if nothing were stored. */
function refusedWithoutJournal<Methods extends Partial<GatewayHandlers>>(
	methods: Methods,
	{isJournalOpen, journalFault}: Pick<HandlerContext, 'isJournalOpen' | 'journalFault'>,
): Methods {
	const guarded = Object.entries(methods).map(([name, method]) => [
		name,
		(...asked: readonly unknown[]) => {
			if (!isJournalOpen()) {
				throw new Problem('storage_unavailable', journalFault());
			}

			return Reflect.apply(method, undefined, asked);
		},
	]);
	return Object.fromEntries(guarded);
}

/** The listening to one profile alone; without a name, to all. */
function listenTo(profile: string | undefined, {followAll}: Pick<EventBus, 'followAll'>): EventBus['listen'] {
	return profile === undefined
		? followAll
		: listener => followAll(event => event.profile === profile && listener(event));
}

/** Sends every event from now on to the caller, until it goes away or the gateway stops. The handler of `events.follow`. */
export function followEvents(
	listen: EventBus['listen'],
	call: Pick<HandlerCall, 'signal' | 'noteText'>,
): Promise<Record<string, never>> {
	return new Promise(resolve => {
		const end = listen(event => call.noteText(eventJson(event)));
		const onAbort = () => {
			end();
			resolve({});
		};

		if (call.signal.aborted) {
			onAbort();
		} else {
			call.signal.addEventListener('abort', onAbort, {once: true});
		}
	});
}
