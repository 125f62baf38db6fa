import {onTestFinished} from 'vitest';
import {readConfigText} from '../../source/config/read/load-config.ts';
import {type PresetName} from '../../source/config/webhooks/presets/preset-table.ts';
import {toRespond} from '../../source/config/webhooks/respond-entry.ts';
import {type RouteConfig} from '../../source/config/webhooks/route-entry.ts';
import {createDeliver} from '../../source/delivery/deliver.ts';
import {openPlatforms} from '../../source/delivery/open-platforms.ts';
import {type Journal, type RunRecord} from '../../source/journal/journal.ts';
import {openOutgoing} from '../../source/net/outgoing.ts';
import {createEventCallers, giveRunResult} from '../../source/runs/event-callers.ts';
import {createOutbox} from '../../source/runs/outbox.ts';
import {createPublishEnd} from '../../source/runs/run-answers.ts';
import {createRuns} from '../../source/runs/runs.ts';
import {createWaitingCallers, deliverToWaiting} from '../../source/runs/waiting-callers.ts';
import {type Clock} from '../../source/util/clock.ts';
import {type AdapterOptions} from '../../source/webhooks/webhook-adapter.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from '../runs/fake-agent.ts';
import {connectTo} from '../simulators/callers/waiting-caller.ts';
import {openAdapter} from './open-adapter.ts';
import {providerOf, routeOf} from './provider-messages.ts';
import {webhookConfig} from './webhook-config.ts';

type Written = NonNullable<Parameters<typeof toRespond>[0]>;

/** A run that waits for its model. */
export type AskedRun = {
	readonly run: RunRecord;
	readonly answer: (text: string) => void;
	readonly fail: () => void;
};

/** A route of a provider that answers its callers. */
export function answeringRoute(name: PresetName, respond: Written, changes: Partial<RouteConfig> = {}) {
	return {name, ...routeOf(providerOf(name)), respond: toRespond(respond, name), ...changes};
}

/** A gateway that answers callers, on real sockets over a real journal: receiver, runs and deliveries. The test is the model. */
export async function openAnswers(options: {
	readonly clock: Clock;
	readonly journal: Journal;
	readonly routes: ReadonlyArray<Partial<RouteConfig> & {readonly name: string}>;
	/** Where the hosts of providers are. */
	readonly places?: Parameters<typeof connectTo>[0];
	/** `platforms` as a person would write it. */
	readonly platforms?: Readonly<Record<string, unknown>>;
	readonly isShared?: () => boolean;
	/** False: it leaves runs to another gateway. */
	readonly takesRuns?: boolean;
	readonly limits?: AdapterOptions['limits'];
}) {
	const {clock, journal, routes, places = [], isShared = () => false, takesRuns = true, limits} = options;
	const {publish, events, ofType} = recordEvents();
	const publishOf = () => publish;
	const asked: AskedRun[] = [];
	const agent = fakeAgent(
		async run =>
			new Promise((resolve, reject) => {
				asked.push({run, answer: resolve, fail: () => reject(new Error('the model is gone'))});
			}),
	);
	const {config} = readConfigText('config.yaml', JSON.stringify({platforms: options.platforms ?? {}}), () => undefined);
	const connected = connectTo(places, openOutgoing);
	const platforms = openPlatforms({
		clock,
		publish,
		configured: () => config.platforms,
		scope: {variables: () => undefined, expand: text => text},
		learn: () => undefined,
		learnPassing: () => undefined,
		stateFile: async () => ({}),
		openGuarded: () => connected,
	});
	const waiting = createWaitingCallers(clock);
	const deliver = deliverToWaiting(createDeliver({clock, publish, platforms}), {waiting, publishOf});
	const settled = createPublishEnd({journal, publishOf});
	const outbox = createOutbox({journal, clock, publishOf, deliver, redact: text => text, settled});
	const faults: unknown[] = [];
	const report = (caught: unknown) => void faults.push(caught);
	const callers = createEventCallers({journal, clock, isShared, waiting, send: outbox.sendPending, report});
	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver: outbox.deliver,
		giveToCaller: giveRunResult(callers, report),
		limits: () => ({maxRunning: 50, maxWaiting: 100}),
		isHeld: () => !takesRuns,
		profileOf: () => ({publish, agent}),
	});
	const left = await outbox.leftBehind();
	await runs.start();
	void outbox.resume(left, settled);
	const {url, adapter} = await openAdapter({
		config: webhookConfig({routes, rateLimit: 1000}),
		clock,
		journal,
		publish,
		deliver,
		callers,
		wakeRuns: runs.wake,
		...(limits && {limits}),
	});
	const end = async () => {
		waiting.stop();
		const ended = runs.stop();
		// Their ten seconds are those of a clock that may stand still.
		asked.forEach(({fail}) => fail());
		await adapter.close();
		await ended;
		const over = callers.stop();
		await outbox.stop();
		await over;
		await platforms.close();
	};

	let stopped: Promise<void> | undefined;
	const stop = () => (stopped ??= end());
	onTestFinished(stop);
	const messages = async () =>
		(await journal.listMessages({limit: 100}))
			.toReversed()
			.map(({target, state, detail, text}) => ({target, state, text, ...(detail !== undefined && {detail})}));
	const addresses = async () => (await connected).asked;
	return {url, adapter, asked, callers, runs, stop, faults, messages, addresses, journal, events, ofType};
}
