import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import {type ToolFilter} from '../../config/read/endpoint-clients.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type Publish} from '../../state/event.ts';
import {type Catalogue} from '../../tools/catalogue.ts';
import {isOfferedBy} from '../../tools/endpoint/offered-tools.ts';
import {type RegisteredTool} from '../../tools/registered-tool.ts';
import {atMost, type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {ownProgram} from '../../util/own-program.ts';
import {errorText, Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** A tool as its count finds it. */
type CountedTool = Pick<RegisteredTool, 'name' | 'fingerprint'>;

/** The tokens that the definitions of tools cost a model (docs/endpoint.md, Cost). */
export type ToolTokens = {
	/** Undefined: not counted yet. */
	readonly of: (tool: CountedTool) => number | undefined;
	/** The tokens of these tools together; undefined: there is none, or one is not counted yet. */
	readonly sum: (tools: readonly CountedTool[]) => number | undefined;
	/** Counts the registered tools that are not counted yet, in a thread that ends afterwards. Never rejects; what cannot be counted stays as it is. */
	readonly count: () => Promise<void>;
	/** The same for a person who waits for a page: after a second and a half it goes on in the background. */
	readonly countSoon: () => Promise<void>;
	readonly close: () => void;
};

/** 3,000 tools take a second. */
const patienceMilliseconds = 30_000;
const soonMilliseconds = 1500;
const batchTools = 200;
const memoryLimits = {maxOldGenerationSizeMb: 256};

/** Opens the counts of a profile. Nothing is loaded before the first count; a definition is counted once. `onCounted` is called after each count. */
export function openToolTokens(
	{clock, publish}: {readonly clock: Clock; readonly publish: Publish},
	{list}: Pick<Catalogue, 'list'>,
	onCounted: () => void,
): ToolTokens {
	const ending = new AbortController();
	let known = new Map<string, number>();
	let running: Promise<void> | undefined;
	const of = (tool: CountedTool) => known.get(keyOf(tool));

	const countMissing = async () => {
		const tools = list();
		const missing = tools.filter(tool => of(tool) === undefined);
		if (missing.length === 0 || ending.signal.aborted) {
			return;
		}

		// Definitions of the past are forgotten.
		known = new Map(tools.flatMap(tool => [[keyOf(tool), of(tool)] as const]).filter(isCounted));
		const deadline = openDeadline(clock, patienceMilliseconds, {
			signal: ending.signal,
			reason: () => new Problem('internal', {message: 'The tokens of the tools took too long to count'}),
		});
		try {
			for await (const [tool, tokens] of countInThread(missing, deadline.signal)) {
				known.set(keyOf(tool), tokens);
			}
		} catch (error) {
			publish({type: 'log', level: 'debug', area: 'tools', text: safeText(errorText(toProblem(error)))});
		} finally {
			deadline.cancel();
		}
	};

	const count = () =>
		(running ??= countMissing().finally(() => {
			running = undefined;
			onCounted();
		}));

	return {
		of,
		sum(tools) {
			const counts = tools.map(of);
			return tools.length === 0 || !counts.every(count => count !== undefined)
				? undefined
				: counts.reduce((sum, count) => sum + count, 0);
		},
		count,
		countSoon: () => atMost(soonMilliseconds, count(), clock),
		close: () => ending.abort(new Problem('cancelled')),
	};
}

/** The tokens of the list that each client of the endpoint is offered, of these tools; undefined: one of them is not counted yet. */
export function tokensByClient(
	tools: readonly RegisteredTool[],
	{clients, sum}: {readonly clients: ReadonlyMap<string, ToolFilter>; readonly sum: ToolTokens['sum']},
): Readonly<Record<string, number>> {
	return Object.fromEntries(
		[...clients].flatMap(([name, filter]) => {
			const offered = tools.filter(isOfferedBy(filter));
			const tokens = offered.length === 0 ? 0 : sum(offered);
			return tokens === undefined ? [] : [[name, tokens] as const];
		}),
	);
}

/** The clients of the endpoint that are not switched off, each with its filter. None while they cannot be read. */
export function filtersOfClients({gateway}: Pick<GatewayConfig, 'gateway'>): ReadonlyMap<string, ToolFilter> {
	const {clients} = gateway.endpoint;
	return new Map(
		clients.kind === 'broken'
			? []
			: [...clients.clients].flatMap(([name, client]) => (client.kind === 'on' ? [[name, client.tools] as const] : [])),
	);
}

function keyOf({name, fingerprint}: CountedTool): string {
	return `${name} ${fingerprint}`;
}

function isCounted(entry: readonly [string, number | undefined]): entry is readonly [string, number] {
	return entry[1] !== undefined;
}

/** Counts tools in a thread of its own: the tokenizer takes memory and time to load. Rejects with the reason of the signal, or when the thread fails. */
async function* countInThread(
	tools: readonly RegisteredTool[],
	signal: AbortSignal,
): AsyncGenerator<readonly [RegisteredTool, number]> {
	const worker = new Worker(ownProgram('token-thread', import.meta.url), {
		name: 'tokens',
		env: {},
		argv: [],
		resourceLimits: memoryLimits,
	});
	const broken = new AbortController();
	worker.on('error', caught => broken.abort(toProblem(caught)));
	const either = AbortSignal.any([signal, broken.signal]);
	try {
		for (let begin = 0; begin < tools.length; begin += batchTools) {
			const batch = tools.slice(begin, begin + batchTools);
			either.throwIfAborted();
			const answered = once(worker, 'message');
			worker.postMessage(batch.map(modelText), []);
			const [counts]: ReadonlyArray<readonly number[]> = await untilAborted(answered, either);
			yield* batch.map((tool, index): readonly [RegisteredTool, number] => [tool, counts?.[index] ?? 0]);
		}
	} finally {
		await worker.terminate();
	}
}

/** The parts of a definition that programs hand to a model: name, description and arguments. */
function modelText({name, definition: {description = '', inputSchema}}: RegisteredTool): string {
	return JSON.stringify({name, description, input_schema: inputSchema});
}
