import {enableWebhooks} from '../../config/edit/edit-config.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {failedDeliveryToJson} from '../../control/to-wire.ts';
import {type ReplayJson} from '../../state/json/event.ts';
import {sleep} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {eventFiles} from '../pages/event-files.ts';
import {dryRunPage, eventPage} from '../pages/event-page.ts';
import {listFailedDeliveries} from '../journal/failed-deliveries.ts';
import {routeRowToJson} from '../services/route-rows.ts';
import {olderEvents} from '../pages/older-events.ts';
import {storedEvents} from '../pages/stored-events.ts';
import {deliveryHandlers, storedDeliveries} from './deliveries.ts';
import {type HandlerContext, pendingOf} from './handler-context.ts';

type EventHandlers = Pick<
	GatewayHandlers,
	'events.list' | 'events.show' | 'events.file' | 'events.replay' | 'events.replay-all'
>;

/** A pause between replays, so that new events of the route keep their turn. */
const pauseMilliseconds = 100;

/** The stored events, which are nowhere while the journal cannot be used. */
export function eventHandlers(handlerContext: HandlerContext): EventHandlers {
	const {profile, journal, events, named} = handlerContext;
	const {clock, redactor} = profile.context;
	const pending = () => pendingOf(handlerContext);
	const stored = storedEvents({journal, clock, redactor, profile: named, pending});
	const replay = async (id: string) => {
		const {eventId, status, name, reason} = await events.replay(id);
		return {event_id: eventId, status, outcome: name, reason};
	};

	return {
		'events.list': stored.list,
		'events.show': ({id}) => stored.show(id),
		'events.file': eventFiles(journal),
		'events.replay': ({id}) => replay(id),
		async 'events.replay-all'({ids}, {note, signal}) {
			const replays: ReplayJson[] = [];
			for (const id of ids) {
				signal.throwIfAborted();
				const replayed = await replay(id);
				note(replayed);
				replays.push(replayed);
				await sleep(clock, pauseMilliseconds, signal);
			}

			return replays;
		},
	};
}

type ViewHandlers = Pick<
	GatewayHandlers,
	| 'events.view'
	| 'events.older'
	| 'events.dry-run'
	| 'events.deliver'
	| 'calls.view'
	| 'decisions.view'
	| 'deliveries.list'
	| 'deliveries.retry'
	| 'deliveries.cancel'
	| 'deliveries.view'
	| 'deliveries.failed'
	| 'deliveries.dismiss'
	| 'runs.view'
	| 'traces.view'
	| 'webhook.list'
	| 'webhook.enable'
	| 'webhook.pause'
>;

/** Pages of the dashboard about rows of the journal, and the listener with its routes and deliveries. */
export function viewHandlers({profile, journal, events, listed, first, named, reload}: HandlerContext): ViewHandlers {
	const {context, tools} = profile;
	const {redact} = context.redactor;
	return {
		async 'events.view'({id, part}) {
			const event = await events.show(id);
			if (!event) {
				throw new Problem('unknown_event');
			}

			return eventPage(event, {part, redact});
		},
		'events.older': async ({before}) => ({
			type: 'view.older-events',
			...(await olderEvents(before, {
				journal,
				profiles: listed.map(({name}) => name),
				first,
				now: context.clock.now(),
			})),
		}),
		'events.dry-run': async ({id}) => dryRunPage(id, await events.dryRun(id)),
		async 'events.deliver'({id}) {
			const result = await events.deliverAgain(id);
			const reason = result.kind === 'delivered' ? null : (result.problem.detail ?? result.problem.message);
			const outcome = result.kind === 'uncertain' ? 'outcome_uncertain' : result.kind;
			return {event_id: id, outcome, reason: reason && redact(safeText(reason))};
		},
		'deliveries.list': storedDeliveries({journal, redactor: context.redactor, first, profile: named}),
		...deliveryHandlers({journal, redactor: context.redactor, delivery: events.deliveries}),
		'calls.view': ({id, part}) => events.showCall(id, part),
		'decisions.view': ({id, part}) => events.showDecision(id, part),
		'deliveries.view': ({id, part}) => events.showDelivery(id, part),
		'deliveries.failed': async () =>
			(await listFailedDeliveries(journal, first))
				.filter(row => listed.some(({name}) => name === row.profile))
				.map(failedDeliveryToJson),
		async 'deliveries.dismiss'({ids}) {
			await events.dismissDeliveries(ids);
			return {};
		},
		'runs.view': ({id, part}) => events.showRun(id, part),
		'traces.view': async query => ({
			type: 'view.trace',
			...(await events.showTrace(query, tools.requests.approvals())),
		}),
		// Only the file of the first profile has routes.
		'webhook.list': async () =>
			context.paths.profile === first ? (await events.routes()).map(row => routeRowToJson(row)) : null,
		async 'webhook.enable'() {
			await enableWebhooks(context);
			await reload();
			return {};
		},
		async 'webhook.pause'({route, paused}) {
			await events.setRoutePaused(route, paused);
			await reload();
			return {};
		},
	};
}
