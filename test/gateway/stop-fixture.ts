import {expect, onTestFinished} from 'vitest';
import {statePaths} from '../../source/config/read/state-paths.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {openScriptedModel, type ScriptedTurn, type ScriptedUsage} from '../simulators/scripted-model.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** The first reply of the model to the words of a sender; it has an answer to everything else. */
export type Script = Readonly<Record<string, (first: boolean) => ScriptedTurn | Promise<ScriptedTurn>>>;

/** The text between the last fences of a prompt, or all of it. */
const sentWords = (prompt: string) =>
	/.*<payload-(?<mark>\w+)>(?<words>.*)<\/payload-\k<mark>>/su.exec(prompt)?.groups?.['words'] ?? prompt;

/** A gateway that can be stopped and started again on one directory, on a clock that stands still, with a model that does what a script says. */
export async function openStopFixture(
	script: Script = {},
	config: object = {},
	platforms: object = {},
	{usage, startsAt}: {readonly usage?: ScriptedUsage; readonly startsAt?: number} = {},
) {
	const clock = createFakeClock(startsAt);
	const root = temporaryDirectory();
	const paths = statePaths({root, profile: 'default'});
	const asked: string[] = [];
	const model = await openScriptedModel(({prompt, results}) => {
		const words = sentWords(prompt);
		const isFirst = !asked.includes(words);
		asked.push(words);
		return script[words]?.(isFirst && results.length === 0) ?? 'Done.';
	}, usage);
	onTestFinished(model.close);
	const yaml = (changes: object = {}) =>
		JSON.stringify({
			gateway: {endpoint: {port: 0}},
			model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
			approvals: {unattended: 'hold'},
			platforms: {
				...platforms,
				webhook: {
					enabled: true,
					port: 0,
					secret: 'INSECURE_NO_AUTH',
					routes: {
						r: {prompt: '{text}', toolsets: ['mcp-garden', 'mcp-asking', 'clarify']},
						burst: {prompt: '{text}', coalesce: {key: 'entity', window_seconds: 3600, max_wait_seconds: 3600}},
						report: {prompt: '{text}', deliver: 'telegram', deliver_extra: {chat_id: '-1001234567890'}},
					},
				},
			},
			...config,
			...changes,
		});
	return {
		clock,
		asked,
		bounds: model.bounds,
		paths,
		async start(changes?: object) {
			const running = await runGateway(yaml(changes), root, {clock});
			const post = async (route: string, body: object) => {
				const response = await fetch(`${running.gateway.webhookUrl()}/webhooks/${route}`, {
					method: 'POST',
					body: JSON.stringify(body),
				});
				return response.status;
			};
			const send = async (route: string, ...texts: readonly string[]) => {
				for (const text of texts) {
					expect(await post(route, {text, entity: 'one'})).toBe(202);
				}
			};
			/** The runs by their prompts that this gateway has begun. */
			const runs = () => Object.fromEntries(running.snapshot().runs.map(({prompt, state}) => [prompt, state]));
			return {...running, send, runs};
		},
		/** The runs by their prompts, while no gateway runs. */
		async runs() {
			const journal = openJournal({path: paths.journal, clock, limits: () => ({maxAgeDays: 30, maxBytes: 2 ** 30})});
			const rows = (await journal.listRuns({limit: 100})).map(({prompt, state}) => [prompt, state]);
			await journal.close();
			return Object.fromEntries(rows);
		},
	};
}

/** The parts that such a test works with. */
export type StopFixture = Awaited<ReturnType<typeof openStopFixture>>;

/** A gateway that runs there. */
export type Started = Awaited<ReturnType<StopFixture['start']>>;

/** Of the machine, for each second of the clock: a disk that works answers in a part of what a stop waits for one that hangs. */
const realMilliseconds = 40;

/** Stops. Real sockets close meanwhile, so the clock moves only when nothing else does. */
export async function stop({gateway}: Pick<Started, 'gateway'>, {clock}: StopFixture): Promise<void> {
	const state = {isOver: false};
	const stopped = gateway.stop('enough').finally(() => {
		state.isOver = true;
	});
	while (!state.isOver) {
		for (let look = 0; look < 100 && !state.isOver; look++) {
			await clock.settle();
		}

		await new Promise(resolve => setTimeout(resolve, realMilliseconds));
		await clock.advance(1000);
	}

	await stopped;
}
