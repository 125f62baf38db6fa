import {type Journal} from '../../journal/journal.ts';
import {type MaxRuns} from '../../journal/rows/run-turns.ts';
import {type WithheldRuns} from '../../runs/day-limits.ts';
import {giveRunResult} from '../../runs/event-callers.ts';
import {noteFailedRun} from '../../runs/failure-notices.ts';
import {ableElsewhere, createPlaceRun} from '../../runs/run-placement.ts';
import {type ProfileOf} from '../../runs/run-profile.ts';
import {reportProblem} from '../../runs/run-problems.ts';
import {createRuns, type Runs} from '../../runs/runs.ts';
import {type Nodes} from '../journal/nodes.ts';
import {type DeliveryService} from './delivery-service.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {storedPayload} from '../pages/stored-events.ts';

/** The conditions under which runs start here: model, hold, other gateways. */
export type RunServiceOptions = {
	readonly profileOf: ProfileOf;
	readonly isHeld: () => boolean;
	/** Routes and jobs whose runs must not be taken now. Default: there are none. */
	readonly withheldOrigins?: () => WithheldRuns;
	/** The other gateways of the journal. Default: there are none. */
	readonly nodes?: Pick<Nodes, 'mayHaveModelElsewhere' | 'others' | 'abilities'>;
};

/** The runs of the gateway; what a former process, or a gateway that is gone, had still to deliver is known before their queue is taken up, and sent behind it. */
export function createRunService(
	{clock, publish, eventBus, current}: ProfileContext,
	options: RunServiceOptions & {
		readonly journal: Journal;
		readonly delivery: DeliveryService;
		/** The runs of each route with a limit that may have a slot at once. */
		readonly maxRuns: () => MaxRuns;
	},
): Runs {
	const {journal, delivery, nodes, ...taking} = options;
	const {deliver, ready: deliveryReady, leftBehind, resume, callers} = delivery;
	const limits = () => {
		const {maxConcurrentRuns: maxRunning, maxWaitingRuns: maxWaiting} = current().config.agent;
		return {maxRunning, maxWaiting};
	};

	const publishEnded = (profile: string) => {
		const publishPast = eventBus.publishPast(profile);
		return (event: GatewayEventBody) => publishPast(event, clock.now());
	};

	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver,
		giveToCaller: giveRunResult(callers, (caught: unknown) => reportProblem(publish, caught, 'callers')),
		deliveryReady,
		limits,
		publishEnded,
		...taking,
		...(nodes && {
			mayHaveModelElsewhere: nodes.mayHaveModelElsewhere,
			placeRun: createPlaceRun({
				clock,
				find(run, model) {
					const own = model === 'none' ? 'no model' : nodes.abilities(run.profile);
					return own && ableElsewhere(run, {own, others: nodes.others()});
				},
				unplacedMilliseconds: () => current().config.journal.unplacedMilliseconds,
			}),
		}),
		ended: noteFailedRun(delivery.noteFailure),
		payloadOf: eventId => storedPayload(journal, eventId),
	});
	return {
		...runs,
		async start() {
			const left = await leftBehind();
			await runs.start();
			void resume(left);
		},
		async recover() {
			const left = await leftBehind();
			await runs.recover();
			void resume(left);
		},
	};
}
