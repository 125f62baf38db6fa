import {expect, test} from 'vitest';
import {type GatewayCall} from '../../../source/state/gateway-call.ts';
import {type LocalAct} from '../../../source/tui/state/ui-state.ts';
import {createStore} from '../../../source/state/store.ts';
import {createController} from '../../../source/tui/input/controller.ts';
import {screenKey} from '../../../source/tui/input/key-guard.ts';
import {keyPressesOf} from '../../../source/tui/state/key-press.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {plainKey} from '../plain-key.ts';
import {approval, log, server, settled, stamp} from '../sample-events.ts';

function openController() {
	const clock = createFakeClock();
	const store = createStore({clock, isBlocked: () => false});
	const sent: Array<GatewayCall | LocalAct> = [];
	const controller = createController({
		store,
		make: call => void sent.push(call),
		act: act => void sent.push(act),
		clock,
		isBlocked: () => false,
		// A terminal that answers at once.
		write: () => controller.answered('position'),
		onSilent: () => undefined,
		readOnly: false,
	});
	let seq = 1;
	const dispatch = async (...bodies: Parameters<typeof stamp>[0]) => {
		for (const event of stamp(bodies, seq)) {
			seq++;
			store.publish(event);
		}

		await clock.advance(100);
	};
	return {
		clock,
		store,
		sent,
		controller,
		dispatch,
		press: (key: string) => controller.press(keyPressesOf(key, plainKey)),
	};
}

test('what was typed before the dashboard could be read does nothing', async () => {
	const {clock, sent, press} = openController();
	await clock.advance(299);
	press('q');
	await clock.advance(1);
	expect(sent).toEqual([]);
	press('q');
	expect(sent).toHaveLength(1);
});

test('a refused command is shown for ten seconds', async () => {
	const {clock, controller, dispatch} = openController();
	await dispatch(log('line 3 is wrong', {level: 'warning', area: 'config'}));
	const shown = controller.getState().toast?.text;
	await clock.advance(9900);
	expect(controller.getState().toast?.text).toBe(shown);
	await clock.advance(100);
	expect([shown, controller.getState().toast]).toEqual(['config: line 3 is wrong', undefined]);
});

test('what is under way is shown until it ends, and after a minute once more', async () => {
	const {clock, controller, dispatch, press} = openController();
	await dispatch(server('a'));
	await clock.advance(400);
	press('r');
	await clock.advance(59_000);
	expect(controller.getState().toast?.text).toBe('reconnecting a');
	await dispatch(server('a', {state: 'failed', reason: 'gone'}));
	expect(controller.getState().toast?.text).toBe('a failed: gone');
	await clock.advance(1000);
	press('r');
	await clock.advance(60_000);
	expect(controller.getState().toast?.text).toContain('reconnecting a: still under way');
	await clock.advance(10_000);
	expect(controller.getState().toast).toBeUndefined();
});

test('an arrival changes neither view nor mode', async () => {
	const {controller, dispatch} = openController();
	const before = controller.getState();
	await dispatch(approval('1'));
	expect(controller.getState()).toBe(before);
});

test('a review whose request is settled elsewhere hands over to no other request', async () => {
	const {clock, controller, dispatch, press} = openController();
	await dispatch(approval('1'), approval('2'), approval('3'));
	await clock.advance(400);
	press('A');
	press('n');
	await dispatch(settled('2'));
	expect(controller.getState().mode).toMatchObject({kind: 'settled'});
});

test('the word on the screen changes when time alone makes the keys ready', async () => {
	const {clock, store, controller, dispatch, press} = openController();
	await dispatch(approval('1'));
	await clock.advance(400);
	press('A');
	controller.committed(screenKey(controller.getState(), store.getSnapshot()));
	controller.framePainted();
	let changes = 0;
	controller.subscribe(() => void changes++);
	const before = controller.isArmed();
	await clock.advance(1500);
	expect([before, controller.isArmed(), changes > 0]).toEqual([false, true, true]);
});

test('a closed controller has no timer and hears nothing', async () => {
	const {clock, controller, dispatch} = openController();
	await dispatch(log('x', {level: 'error'}));
	controller.close();
	await dispatch(approval('1'));
	expect(clock.open()).toBe(0);
});
