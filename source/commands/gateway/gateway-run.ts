import {type Gateway} from '../../gateway/gateway.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {eventJson} from '../../state/event-json.ts';
import {eventLine} from '../../state/line.ts';
import {isViewEvent} from '../../state/view-event.ts';
import {type Clock} from '../../util/clock.ts';
import {toProblem} from '../../util/problem.ts';
import {type LineWriter} from '../cli/line-writer.ts';
import {reportCrash, reportProblem} from '../cli/run-command.ts';
import {createDraining, startToStop} from './draining.ts';
import {type OnSignal, signalExitCode, type StopSignal, watchCrash} from '../cli/stop-signals.ts';

/** The part of a gateway that this command uses. */
export type RunnableGateway = Pick<GatewayClient, 'subscribe'> & {
	readonly start: () => Promise<void>;
	/** Comes before `stop`. */
	readonly drain: Gateway['drain'];
	readonly stop: (reason: string) => Promise<void>;
};

/** The cause of a run's end: a signal, the gateway's own reason, or a request. */
type End = StopSignal | 'gateway' | 'asked to stop';

/**
`sluice gateway run [--log text|json]`: the gateway without a dashboard, one line per event. The first stop signal lets it drain and ends with 0;
a second one skips what is left of `gateway.drain_delay`, and after that one resolves at once with 128 and the signal's number: the caller then ends
the process. 1: it did not start or stop well.
*/
export async function runGateway(options: {
	readonly gateway: RunnableGateway;
	readonly clock: Clock;
	readonly format: 'text' | 'json';
	readonly output: LineWriter;
	readonly stderr: (text: string) => void;
	/** The state directory, where one was typed. */
	readonly home?: string | undefined;
	readonly onSignal: OnSignal;
	/** Resolves when the gateway is to be stopped for another reason than a signal; rejects with what keeps it from going on. */
	readonly stopAsked?: Promise<void>;
}): Promise<number> {
	const {gateway, output} = options;
	const toLine = options.format === 'json' ? eventJson : eventLine;
	const stopped = Promise.withResolvers<End>();
	const endListening = gateway.subscribe(event => {
		if (!isViewEvent(event)) {
			output.write(toLine(event, options.home));
		}

		if (event.type === 'gateway.stopped') {
			stopped.resolve('gateway');
		}
	});
	const draining = createDraining(gateway);
	const signals = watchSignals(options.onSignal, draining.skip);
	const asked = options.stopAsked?.then((): End => 'asked to stop');
	const ended = Promise.race([signals.first, stopped.promise, ...(asked ? [asked] : [])]);
	// It may be rejected before anybody waits for it.
	ended.catch(() => undefined);
	let end: 'orderly' | 'forced' = 'orderly';
	const forced = signals.forcing.then(signal => {
		end = 'forced';
		return signalExitCode(signal);
	});

	const {crash, close: endCrashWatch} = watchCrash();
	const crashed = crash.then(error => {
		end = 'forced';
		return reportCrash(options, error);
	});

	try {
		return await Promise.race([drive({...gateway, drain: draining.drain}, ended, options.clock), forced, crashed]);
	} catch (error) {
		return reportProblem(options, toProblem(error));
	} finally {
		signals.close();
		endCrashWatch();
		endListening();
		if (end === 'orderly') {
			await output.finish();
		}
	}
}

/** Starts, waits for the end, stops. A gateway that does not come up is stopped too: parts of it may be open. */
async function drive(
	gateway: Pick<RunnableGateway, 'start' | 'stop'> & {readonly drain: (reason: string) => Promise<void>},
	ended: Promise<End>,
	clock: Clock,
): Promise<number> {
	try {
		const started = gateway.start();
		const toStop = () => startToStop(started, clock);
		await Promise.race([started, ended.then(toStop, toStop)]);
	} catch (error) {
		// The first error is reported, not one from the stop after it.
		await gateway.stop('The start failed').catch(() => undefined);
		throw error;
	}

	const end = await ended.catch(async (error: unknown) => {
		await gateway.stop(toProblem(error).message);
		throw error;
	});
	if (end !== 'gateway') {
		await gateway.drain(end);
		await gateway.stop(end);
	}

	return 0;
}

/** The first signal, and the one that ends all at once: the next that `skip` has no use for. */
function watchSignals(
	onSignal: OnSignal,
	skip: () => 'skipped' | 'nothing-to-skip',
): {
	readonly first: Promise<StopSignal>;
	readonly forcing: Promise<StopSignal>;
	readonly close: () => void;
} {
	const first = Promise.withResolvers<StopSignal>();
	const forcing = Promise.withResolvers<StopSignal>();
	let phase: 'waiting' | 'stopping' = 'waiting';
	const close = onSignal(signal => {
		if (skip() === 'skipped') {
			phase = 'stopping';
		} else if (phase === 'waiting') {
			phase = 'stopping';
			first.resolve(signal);
		} else {
			forcing.resolve(signal);
		}
	});
	return {first: first.promise, forcing: forcing.promise, close};
}
