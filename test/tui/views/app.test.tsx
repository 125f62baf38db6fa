import {render} from 'ink-testing-library';
import {expect, onTestFinished, test} from 'vitest';
import {createStore} from '../../../source/state/store.ts';
import {type GatewayCall} from '../../../source/state/gateway-call.ts';
import {type LocalAct} from '../../../source/tui/state/ui-state.ts';
import {createController} from '../../../source/tui/input/controller.ts';
import {App} from '../../../source/tui/views/app.tsx';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {sampleTime, server, stamp, started} from '../sample-events.ts';

async function openApp({ascii}: {readonly ascii: boolean}) {
	const clock = createFakeClock(sampleTime);
	const store = createStore({clock, isBlocked: () => false});
	const sent: Array<GatewayCall | LocalAct> = [];
	const controller = createController({
		store,
		make: call => void sent.push(call),
		act: act => void sent.push(act),
		clock,
		isBlocked: () => false,
		write() {},
		onSilent() {},
		readOnly: false,
	});
	const instance = render(
		<App
			store={store}
			controller={controller}
			now={clock.now}
			noColor
			ascii={ascii}
			onSuspender={() => undefined}
			readOnly={false}
			version="0.1.0"
			readFull={() => ({kind: 'gone'})}
			onKey={() => undefined}
		/>,
	);
	onTestFinished(() => {
		instance.unmount();
		controller.close();
		store.close();
	});
	await clock.advance(1000);
	const publish = async (...bodies: Parameters<typeof stamp>[0]) => {
		stamp(bodies).forEach(store.publish);
		await clock.advance(100);
	};
	const shows = (text: string) => expect.poll(() => instance.lastFrame()).toContain(text);
	return {...instance, sent, publish, shows};
}

test('follows the core and the keyboard', async () => {
	const {publish, shows, stdin, lastFrame} = await openApp({ascii: false});
	await publish(started(), server('github'));
	await shows('● github');
	// The rows come from LINES, the columns from ink-testing-library.
	expect(lastFrame()?.split('\n')).toHaveLength(40);
	stdin.write('5');
	await shows('─ 5 Jobs');
});

test('draws its own glyphs in ASCII where that is asked for, those of @inkjs/ui too', async () => {
	const {publish, shows, stdin} = await openApp({ascii: true});
	await publish(started(), server('github'));
	await shows('* github');
	stdin.write('T');
	await shows(' - theme dark');
});
