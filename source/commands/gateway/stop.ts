import {type StatusJson} from '../../state/json/gateway.ts';
import {type CommandClient, connectControl} from '../../control/client.ts';
import {findHolder, findProcess, isAlive} from '../../control/lock.ts';
import {type Clock, openDeadline, sleep} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {createRunTool} from '../cli/run-tool.ts';
import {longestStop, stopSeconds} from '../service/stop-time.ts';
import {findSupervisingUnit, type SupervisingUnit} from '../service/supervising-unit.ts';

/** Most stops are over sooner, and need no more words. One with a `gateway.drain_delay` never is. */
const usualSilenceMilliseconds = 1000;
const pauseMilliseconds = 100;
const unitMilliseconds = 2000;

/** `sluice stop [--json]`: asks the running gateway to stop, in a dashboard or not, and waits until it is down. */
export function runStop(context: CommandContext, session: Session): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice stop [--json]');
		const client = await connectControl({path: session.paths.controlSocket, clock: context.clock});
		if (!client) {
			throw await notRunning(context, session);
		}

		try {
			return await stop(context, session, client);
		} finally {
			client.close();
		}
	});
}

/** A gateway that serves the profile beside others is not stopped for it alone. */
async function notRunning(context: CommandContext, {paths}: Session): Promise<Problem> {
	const isServed = await withClient(context, async client => client !== undefined);
	return isServed
		? new Problem('gateway_not_running', {
				message: `The profile ${paths.profile} has no gateway of its own: the gateway of the default profile serves it`,
				remedy: 'Run `sluice --profile default stop`, which stops that gateway and every profile that it serves',
			})
		: new Problem('gateway_not_running');
}

async function stop(context: CommandContext, session: Session, client: CommandClient): Promise<ExitCode> {
	const {signal, stdout, stderr, flags} = context;
	const status = await client.call('status', {}, {signal});
	const isDown = await watchEnd(status.pid, session);
	const unit = await unitOf(status.pid, context, session);
	await client.call('stop', {}, {signal});
	stderr(`Stopping the gateway (process ${status.pid}) …\n`);
	const {drain_delay_s: drainDelay = 0} = status;
	const patienceSeconds = longestStop(drainDelay);
	const silenceMilliseconds = drainDelay > 0 ? 0 : usualSilenceMilliseconds;
	const stopped = await waitUntil(isDown, {...context, patienceSeconds, silenceMilliseconds}, () =>
		stderr(`${awaitedText(status)}\n`),
	);
	if (flags.json) {
		stdout(jsonDocument({pid: status.pid, stopped}));
	}

	if (!stopped) {
		throw new Problem('control_failed', {
			message: `The gateway (process ${status.pid}) has not stopped within ${patienceSeconds} s`,
			remedy: `Wait, or run \`kill -9 ${status.pid}\`; the next start marks unfinished work as interrupted`,
		});
	}

	stderr(`Stopped.\n${unit ? unitText(unit) : ''}`);
	return 0;
}

/** Answers whether the gateway is down: its process ended, or, where that cannot be seen from here, nobody listens or holds the lock. */
async function watchEnd(pid: number, {paths, clock}: Session): Promise<() => Promise<boolean>> {
	const isHere = (await findHolder(paths.lock).catch(() => undefined)) === pid;
	const gateway = isHere ? await findProcess(pid) : undefined;
	return async () => {
		if (gateway) {
			return !(await isAlive(gateway));
		}

		const other = await connectControl({path: paths.controlSocket, clock});
		other?.close();
		return !other && (await findHolder(paths.lock)) === undefined;
	};
}

/** Seconds to wait for a stop, and the time before the first notice. */
type Waiting = {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly patienceSeconds: number;
	readonly silenceMilliseconds: number;
};

async function waitUntil(
	isDown: () => Promise<boolean>,
	{clock, signal, patienceSeconds, silenceMilliseconds}: Waiting,
	onSlow: () => void,
): Promise<boolean> {
	const startedAt = clock.elapsed();
	let isSaid = false;
	while (!(await isDown())) {
		const passed = clock.elapsed() - startedAt;
		if (passed > patienceSeconds * 1000) {
			return false;
		}

		if (passed >= silenceMilliseconds && !isSaid) {
			isSaid = true;
			onSlow();
		}

		await sleep(clock, pauseMilliseconds, signal);
	}

	return true;
}

function awaitedText({under_way: work, drain_delay_s: delay = 0}: StatusJson): string {
	const parts = [countedText(work?.runs ?? 0, 'run'), countedText(work?.calls ?? 0, 'tool call')].filter(Boolean);
	const what = parts.length > 0 ? parts.join(' and ') : 'unfinished work';
	const drain = delay === 0 ? '' : `Nothing is refused for ${delay} s (gateway.drain_delay). `;
	return `${drain}Waiting for ${what} to end; runs get 10 s, then they are interrupted. Ctrl-C ends the waiting, not the stop.`;
}

function countedText(count: number, noun: string): string {
	return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A service manager that hangs holds up no stop. */
async function unitOf(pid: number, context: CommandContext, session: Session): Promise<SupervisingUnit | undefined> {
	const reason = () => new Problem('service_unavailable');
	const deadline = openDeadline(context.clock, unitMilliseconds, {signal: context.signal, reason});
	try {
		return await findSupervisingUnit(pid, createRunTool({...session, stopSeconds, signal: deadline.signal}));
	} finally {
		deadline.cancel();
	}
}

function unitText({name, systemctl, restarts}: SupervisingUnit): string {
	const unit = safeText(name, {maximumCharacters: 100});
	return restarts
		? `systemd starts it again: ${unit} has Restart=always. To stop it for good: ${systemctl} stop ${unit}\n`
		: `It ran as the service ${unit}; to start it again: ${systemctl} start ${unit}\n`;
}
