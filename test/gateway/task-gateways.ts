import {cpSync} from 'node:fs';
import {join} from 'node:path';
import {expect, vi} from 'vitest';
import {type CallGateway} from '../../source/state/api.ts';
import {type Clock, systemClock, type Timer} from '../../source/util/clock.ts';
import {connectTo} from '../control/control-fixture.ts';
import {crashImage} from '../helpers/journal-records.ts';
import {serve} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {answerJson} from '../mcp/fixture-servers.ts';
import {taskClient} from '../tools/endpoint/tasks-fixture.ts';

const signal = neverAborted();

/** The clock of the machine, which a test may set forward: what becomes due by that runs at once. */
function createLeapingClock(atFirst: number) {
	const waiting = new Set<{readonly due: number; readonly run: () => void; readonly timer: Timer}>();
	let ahead = atFirst;
	const clock: Clock = {
		now: () => systemClock.now() + ahead,
		elapsed: () => systemClock.elapsed() + ahead,
		soon: systemClock.soon,
		after(milliseconds, callback) {
			const run = () => {
				waiting.delete(entry);
				callback();
			};
			const entry = {due: clock.elapsed() + milliseconds, run, timer: systemClock.after(milliseconds, run)};
			waiting.add(entry);
			return {
				cancel() {
					waiting.delete(entry);
					entry.timer.cancel();
				},
			};
		},
	};
	return {
		clock,
		leap: (milliseconds: number) => {
			ahead += milliseconds;
			const due = [...waiting].filter(entry => entry.due <= clock.elapsed());
			due.forEach(({timer, run}) => {
				timer.cancel();
				run();
			});
		},
	};
}

/** A server with one tool, which counts its calls. */
export async function openGarden() {
	const garden = {
		calls: 0,
		answers: true,
		definition: {name: 'echo', description: 'Says it again', inputSchema: {type: 'object'}} as object,
	};
	const {origin} = await serve((request, response) => {
		void answerJson(request, response, {
			results: {'tools/list': {tools: [garden.definition]}},
			hear: method => {
				const isCall = method === 'tools/call';
				garden.calls += isCall ? 1 : 0;
				return isCall && !garden.answers ? 'ignore' : 'answer';
			},
		});
	});
	return Object.assign(garden, {origin});
}

type Garden = Awaited<ReturnType<typeof openGarden>>;

/** Clients of the endpoint with their tokens. */
export const clients = {laptop: {token: 'token-of-the-laptop'}, other: {token: 'token-of-the-other'}};

export function configOf(
	garden: Garden,
	more: {readonly clients?: object; readonly trust?: string; readonly config?: object} = {},
) {
	return JSON.stringify({
		approvals: {unattended: 'hold'},
		mcp_servers: {garden: {url: garden.origin, trust: more.trust ?? 'untrusted'}},
		...more.config,
		gateway: {endpoint: {port: 0, token: 'token-of-the-endpoint', clients: more.clients ?? clients}},
	});
}

export const echo = 'mcp__garden__echo';

/** A gateway of this process, whose clock may be set forward, and is `ahead` by so many milliseconds at first. */
export async function openTaskGateway(yaml: string, root = temporaryDirectory(), ahead = 0) {
	const {clock, leap} = createLeapingClock(ahead);
	const running = await runGateway(yaml, root, {clock});
	const {eventWhere, events, gateway, paths} = running;
	const listening = await eventWhere(event => event.type === 'endpoint.state');
	const url = new URL(listening.type === 'endpoint.state' ? (listening.url ?? '') : '');
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const asked = () => events.filter(event => event.type === 'approval.requested');
	const laptop = taskClient(url, {token: clients.laptop.token});
	/** A command on a connection of its own: a leap of the clock ends those that are idle. */
	const command: CallGateway = async (method, params) => {
		const control = await connectTo(paths.controlSocket);
		try {
			return await control.call(method, params, {signal});
		} finally {
			control.close();
		}
	};
	const waiting = () => command('approvals.list', {});
	return {
		...running,
		root,
		command,
		asked,
		waiting,
		leap,
		laptop,
		other: taskClient(url, {token: clients.other.token}),
		async change(next: string) {
			running.writeConfig(next);
			await gateway.reload();
		},
		/** Allows the one call that waits, as a command does. */
		async allow() {
			const [request] = await waiting();
			const {id = '', arguments_hash: hash = ''} = request ?? {};
			return command('approvals.allow', {id, scope: 'once', arguments_hash: hash});
		},
		/** Calls as the laptop, until the call is a task. */
		async callAsTask(args: object = {text: 'hello'}): Promise<string> {
			const before = asked().length;
			const answer = laptop.call(echo, args);
			await vi.waitFor(() => expect(asked().length).toBeGreaterThan(before));
			leap(20_000);
			const {result} = await answer;
			return String(result?.taskId);
		},
	};
}

export type TaskGateway = Awaited<ReturnType<typeof openTaskGateway>>;

/** A state directory as a hard kill of its gateway at this moment would leave it. */
export function leftBy({paths}: Pick<TaskGateway, 'paths'>): string {
	const root = temporaryDirectory();
	const image = crashImage(paths.journal);
	cpSync(image, join(root, 'journal.db'));
	try {
		cpSync(`${image}-wal`, join(root, 'journal.db-wal'));
	} catch {
		// Everything is in the file.
	}

	return root;
}
