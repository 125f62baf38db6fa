import {type FiredJobJson} from '../../state/json/cron.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type GatewayEvent} from '../../state/event.ts';
import {untilAborted} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {onlyWord} from '../cli/words.ts';
import {type GatewayProcess} from '../gateway/gateway-process.ts';

/** A gateway of this process with the events of all gateways of its journal. */
type JobProcess = GatewayProcess & {readonly eventBus: Pick<EventBus, 'listenToAll'>};

/** `sluice cron run JOB`: fires a job now, in the running gateway; without one a gateway runs here until the job is done (docs/configuration.md, State directory). */
export function runCronRun(context: CommandContext, openGateway: () => JobProcess): Promise<ExitCode> {
	return runCommand(context, async () => {
		const reference = onlyWord(context, 'sluice cron run JOB');
		return withClient(context, async client =>
			client
				? reportFiredRun(context, await client.call('cron.run', {reference}, {signal: context.signal}))
				: runHere(context, reference, openGateway()),
		);
	});
}

async function runHere(context: CommandContext, reference: string, process: JobProcess): Promise<ExitCode> {
	const ends = awaitRuns(process.eventBus);
	try {
		await process.start();
		const gateway = process.gateway();
		const result = await gateway?.fireJob(reference, {kind: 'command'});
		if (result?.kind !== 'fired') {
			return reportFiredRun(context, {
				outcome: 'dropped',
				run_id: null,
				reason: result?.reason ?? 'the gateway did not start',
			});
		}

		const state = await reportWaiting(context, 'the run', untilAborted(ends.of(result.runId), context.signal));
		context.stderr(`The run ended: ${state}\n`);
		reportFiredRun(context, {outcome: 'fired', run_id: result.runId, reason: null});
		return state === 'finished' || state === 'inbox' ? 0 : 1;
	} finally {
		ends.close();
		await process.stop('the job is done');
	}
}

/** Ends of runs, here or at another gateway of the journal, also from before they were asked for: `of` resolves with the last state of a run. */
function awaitRuns(eventBus: Pick<EventBus, 'listenToAll'>) {
	const ended = new Map<string, string>();
	const waiting = new Map<string, (state: string) => void>();
	const close = eventBus.listenToAll((event: GatewayEvent) => {
		if (event.type === 'run.state' && event.state !== 'queued' && event.state !== 'running') {
			ended.set(event.runId, event.state);
			waiting.get(event.runId)?.(event.state);
		}
	});
	const of = (runId: string) =>
		new Promise<string>(resolve => {
			const state = ended.get(runId);
			if (state === undefined) {
				waiting.set(runId, resolve);
			} else {
				resolve(state);
			}
		});
	return {of, close};
}

/** Reports what became of a firing. */
function reportFiredRun(context: CommandContext, fired: FiredJobJson): ExitCode {
	if (context.flags.json) {
		context.stdout(jsonDocument(fired));
	} else if (fired.outcome === 'fired') {
		context.stderr(`Fired: run ${fired.run_id}\n`);
	} else {
		context.stderr(`sluice: Not run: ${safeText(fired.reason ?? '')}\n`);
	}

	return fired.outcome === 'fired' ? 0 : 1;
}
