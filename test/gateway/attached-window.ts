import {expect, onTestFinished} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {createGatheredSnapshot} from '../../source/state/gathered-snapshot.ts';
import {systemClock} from '../../source/util/clock.ts';
import {callsOf, type RunningGateway} from '../helpers/running-gateway.ts';

/** A client of the control socket. */
export async function connect({paths}: RunningGateway, profile?: string) {
	const client = await connectControl({path: paths.controlSocket, clock: systemClock, ...(profile && {profile})});
	return client ?? expect.fail('no gateway was found');
}

/** No endpoint that others can reach by its usual port. */
export const quiet = 'gateway: {endpoint: {port: 0}}\n';

/** A window attached to the gateway, and what it was sent. */
export async function attach(running: RunningGateway, profile?: string) {
	const events: GatewayEvent[] = [];
	const shown = createGatheredSnapshot(1000);
	const client = await connect(running, profile);
	const console = await client.openConsole({mode: 'deciding', terminal: 'a test', browser: 'nowhere'});
	console.subscribe(event => {
		events.push(event);
		shown.push(event);
	}, shown.replace);
	onTestFinished(console.close);
	const eventBus = createEventBus({clock: systemClock, redact: event => event});
	const calls = callsOf(console.call, event => events.push(event), eventBus, profile);
	return {...console, ...calls, events, shown: shown.current};
}
