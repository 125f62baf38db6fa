import {createHold, type Hold, type HoldCheck, type HoldStore} from '../../source/approvals/hold.ts';
import {createFakeClock} from './fake-clock.ts';

/** Nothing is ever held. */
export const neverHeld: HoldCheck = {pass: async () => 'free', assertFree: () => undefined};

/** A file in memory, with what it has at first. */
export function memoryHoldStore(held: ReturnType<HoldStore['read']>['held'] = null) {
	let file = {held};
	const store: HoldStore = {read: () => file, update: async change => void (file = change(file))};
	return {store, stored: () => file.held};
}

/** A hold whose file is in memory. */
export function openTestHold(options: Partial<Parameters<typeof createHold>[0]> = {}): Hold {
	return createHold({
		clock: createFakeClock(),
		publish: () => undefined,
		stores: [memoryHoldStore().store],
		...options,
	});
}
