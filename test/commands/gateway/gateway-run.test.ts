import {describe, expect, test} from 'vitest';
import {runGateway} from '../../../source/commands/gateway/gateway-run.ts';
import {type StopSignal} from '../../../source/commands/cli/stop-signals.ts';
import {createEventBus} from '../../../source/state/event-bus.ts';
import {Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

type Steps = {
	start?: () => Promise<void>;
	drain?: (skip: AbortSignal) => Promise<void>;
	stop?: () => Promise<void>;
	format?: 'text' | 'json';
	stopAsked?: Promise<void>;
};

/** Runs the command with a gateway whose steps the test holds in its hand. */
function run(steps: Steps = {}) {
	const clock = createFakeClock();
	const eventBus = createEventBus({clock, redact: event => event});
	const publish = eventBus.publishFor('default');
	const lines: string[] = [];
	const log: string[] = [];
	let stderr = '';
	let listener: ((signal: StopSignal) => void) | undefined;
	const code = runGateway({
		gateway: {
			async start() {
				log.push('start');
				await steps.start?.();
			},
			drain: async (_, skip) => steps.drain?.(skip),
			async stop(reason) {
				log.push(`stop ${reason}`);
				await steps.stop?.();
				publish({type: 'gateway.stopped', reason});
			},
			subscribe: eventBus.listen,
		},
		clock,
		format: steps.format ?? 'text',
		stopAsked: steps.stopAsked,
		output: {write: line => void lines.push(line), finish: async () => void log.push('flushed')},
		stderr: text => void (stderr += text),
		onSignal(given) {
			listener = given;
			return () => (listener = undefined);
		},
	});
	return {
		code,
		lines,
		log,
		publish,
		clock,
		stderr: () => stderr,
		signal: (signal: StopSignal) => listener?.(signal),
		isListening: () => listener !== undefined,
	};
}

const news = {type: 'log', level: 'info', area: 'test', text: 'hello'} as const;

describe('sluice gateway run', () => {
	test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('drains at %s and ends with 0', async signal => {
		const running = run();
		await running.clock.settle();
		running.signal(signal);
		expect([await running.code, running.log]).toEqual([0, ['start', `stop ${signal}`, 'flushed']]);
	});

	test.each([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGHUP', 129],
	] as const)('does not wait for the end after a second signal, %s', async (signal, code) => {
		const running = run({stop: () => new Promise(() => undefined)});
		await running.clock.settle();
		running.signal('SIGINT');
		await running.clock.settle();
		running.signal(signal);
		expect(await running.code).toBe(code);
	});

	describe('asked to stop while it starts', () => {
		test('waits for the start, and then stops', async () => {
			const starting = Promise.withResolvers<void>();
			const running = run({start: () => starting.promise});
			await running.clock.settle();
			running.signal('SIGTERM');
			await running.clock.advance(19_000);
			starting.resolve();
			expect([await running.code, running.log]).toEqual([0, ['start', 'stop SIGTERM', 'flushed']]);
			expect(running.clock.open()).toBe(0);
		});

		test('gives up a start that hangs', async () => {
			const running = run({start: () => new Promise(() => undefined)});
			await running.clock.settle();
			running.signal('SIGTERM');
			await running.clock.advance(20_000);
			expect([await running.code, running.log]).toEqual([1, ['start', 'stop The start failed', 'flushed']]);
			expect(running.stderr()).toContain('its start did not end within 20 seconds');
		});

		test('waits for a start that nobody asked to stop, however long it takes', async () => {
			const starting = Promise.withResolvers<void>();
			const running = run({start: () => starting.promise});
			await running.clock.advance(100_000);
			starting.resolve();
			await running.clock.settle();
			running.signal('SIGTERM');
			expect([await running.code, running.stderr()]).toEqual([0, '']);
		});
	});

	describe('while nothing is refused yet', () => {
		/** A gateway that drains until it is to skip the rest, and never stops by itself. */
		const slow = (more: Steps = {}) => {
			const stopping = Promise.withResolvers<void>();
			const running = run({
				drain: skip => new Promise(resolve => skip.addEventListener('abort', () => resolve())),
				stop: () => stopping.promise,
				...more,
			});
			return {...running, stopped: stopping.resolve};
		};

		test('a second signal skips the rest, and the stop is orderly', async () => {
			const running = slow();
			await running.clock.settle();
			running.signal('SIGTERM');
			await running.clock.settle();
			const before = [...running.log];
			running.signal('SIGTERM');
			await running.clock.settle();
			running.stopped();
			expect([before, await running.code]).toEqual([['start'], 0]);
			expect(running.log).toEqual(['start', 'stop SIGTERM', 'flushed']);
		});

		test('a signal skips the rest of what `sluice stop` began', async () => {
			const running = slow({stopAsked: Promise.resolve()});
			await running.clock.settle();
			running.signal('SIGTERM');
			await running.clock.settle();
			running.stopped();
			expect([await running.code, running.log]).toEqual([0, ['start', 'stop asked to stop', 'flushed']]);
		});

		test('a third signal does not wait for the end', async () => {
			const running = slow();
			await running.clock.settle();
			for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
				running.signal(signal);
				await running.clock.settle();
			}

			expect(await running.code).toBe(130);
		});
	});

	test('prints what happens, not what a console asked to see', async () => {
		const running = run();
		await running.clock.settle();
		running.publish({type: 'view.tools', tools: []});
		running.publish(news);
		running.signal('SIGINT');
		await running.code;
		expect(running.lines).toEqual([expect.stringContaining('hello'), expect.stringContaining('stopped')]);
	});

	test('stops only after the start when the signal comes early', async () => {
		const started = Promise.withResolvers<void>();
		const running = run({start: () => started.promise});
		running.signal('SIGTERM');
		await running.clock.settle();
		const before = [...running.log];
		started.resolve();
		expect([before, await running.code]).toEqual([['start'], 0]);
	});

	test('prints a line per event, the last one too', async () => {
		const running = run();
		running.publish(news);
		await running.clock.settle();
		running.signal('SIGINT');
		await running.code;
		expect(running.lines).toEqual([expect.stringContaining('hello'), expect.stringContaining('stopped: SIGINT')]);
	});

	test('prints an object per line when asked for JSON', async () => {
		const running = run({format: 'json'});
		running.publish(news);
		running.signal('SIGINT');
		await running.code;
		expect(JSON.parse(running.lines[0] ?? '')).toMatchObject({seq: 1, profile: 'default', ...news});
	});

	test('takes the gateway down and ends with 1 when it does not start', async () => {
		const start = () => Promise.reject(new Problem('gateway_running', {message: 'process 7 holds it'}));
		const running = run({start});
		expect([await running.code, running.log]).toEqual([1, ['start', 'stop The start failed', 'flushed']]);
	});

	test('names why it did not start, not what else went wrong', async () => {
		const running = run({
			start: () => Promise.reject(new Problem('gateway_running', {message: 'process 7 holds it'})),
			stop: () => Promise.reject(new Error('also')),
		});
		await running.code;
		expect(running.stderr()).toMatch(/process 7 holds it/);
	});

	test('ends with 1 when it does not stop well', async () => {
		const running = run({stop: () => Promise.reject(new Error('stuck'))});
		await running.clock.settle();
		running.signal('SIGINT');
		expect(await running.code).toBe(1);
	});

	test('ends with 0 when the gateway stopped by itself', async () => {
		const running = run();
		await running.clock.settle();
		running.publish({type: 'gateway.stopped', reason: 'asked to'});
		expect(await running.code).toBe(0);
	});

	test('lets go of the signals', async () => {
		const running = run();
		running.signal('SIGINT');
		await running.code;
		expect(running.isListening()).toBe(false);
	});
});
