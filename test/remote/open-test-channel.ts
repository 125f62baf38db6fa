import {
	type ChannelInput,
	type ChannelListener,
	type ChannelMessage,
	type ChannelState,
} from '../../source/remote/channel.ts';
import {type ChannelSettings} from '../../source/remote/channel-settings.ts';
import {openChannel} from '../../source/remote/channels.ts';
import {type Clock} from '../../source/util/clock.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';

/** A message with one button of each tone. */
export const askMessage: ChannelMessage = {
	parts: [
		{kind: 'own', text: 'files/write wants to run'},
		{kind: 'foreign', text: '{"path": "/tmp/<b>*a*</b> @here"}'},
		{kind: 'own', text: 'a1b2'},
	],
	buttons: [
		[
			{label: 'Allow…', value: 's1:AAAAAAAAAAAAAAAAAAAAAA:a', tone: 'plain'},
			{label: 'Deny', value: 's1:AAAAAAAAAAAAAAAAAAAAAA:d', tone: 'danger'},
		],
	],
};

/** A message without buttons. */
export const doneMessage: ChannelMessage = {parts: [{kind: 'own', text: 'Denied by person 456'}], buttons: []};

/** Opens a channel until the test ends, and records what it reports once `start` was called. */
export async function openTestChannel(settings: ChannelSettings, clock: Clock) {
	const stopping = new AbortController();
	const channel = await openChannel(settings, {clock, random: () => 0});
	const states: ChannelState[] = [];
	const inputs: ChannelInput[] = [];
	const notices: string[] = [];
	const marks: string[] = [];
	let alive = 0;
	let received: Promise<void> | undefined;
	let onInput = async (_input: ChannelInput) => {};
	const listener: ChannelListener = {
		onState: state => void states.push(state),
		onAlive: () => void alive++,
		onCurrent: () => void marks.push('current'),
		async onInput(input) {
			inputs.push(input);
			await onInput(input);
		},
		onNotice: text => void notices.push(text),
	};
	const stop = async () => {
		stopping.abort(new Error('stopped'));
		await received;
	};
	onTestFinished(async () => {
		await stop();
		await channel.close();
	});
	return {
		channel,
		states,
		inputs,
		notices,
		marks,
		stop,
		signal: stopping.signal,
		alive: () => alive,
		start() {
			received = channel.receive?.(listener, stopping.signal);
			return received;
		},
		/** Each input then takes as long as this. */
		handleInputs(handle: (input: ChannelInput) => Promise<void>) {
			onInput = handle;
		},
		/** Everything that was reported, as a text. */
		said: () => JSON.stringify([states, notices, marks]),
	};
}
