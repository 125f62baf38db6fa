import {expect, onTestFinished, test} from 'vitest';
import {startDemoLoginServer} from '../../source/demo/demo-login-server.ts';
import {createCredentials} from '../../source/oauth/tokens/credentials.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {loginTarget, openObservedLogins} from '../oauth/observed-logins.ts';

async function open() {
	const clock = createFakeClock();
	const server = await startDemoLoginServer(clock);
	onTestFinished(server.close);
	const observed = openObservedLogins({clock});
	const target = loginTarget(server.url, {flow: 'device'});
	return {clock, server, observed, target};
}

const ask = (url: string, token = '') =>
	fetch(url, {method: 'HEAD', headers: {authorization: `Bearer ${token}`}}).then(({status}) => status);

test('the library refuses a caller without a login', async () => {
	const {server} = await open();
	expect(await ask(server.url)).toBe(401);
});

test('a robot types the code after a while, and the tokens are taken and refreshed', async () => {
	const {clock, server, observed, target} = await open();
	const end = observed.logins.start({target, challenge: undefined, document: 'try-again'});
	expect(await observed.until(({state}) => state === 'awaiting-device')).toMatchObject({
		userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/u),
	});
	for (let polls = 1; polls < 5; polls++) {
		await clock.advance(2000);
		await observed.until(event => event.state === 'succeeded' || event.polls === polls);
	}

	await clock.advance(2000);
	expect(await end).toEqual({kind: 'succeeded'});
	const {tokens} = (await observed.store.read('one')) ?? {};
	expect(await ask(server.url, tokens?.access_token)).not.toBe(401);
	const credentials = createCredentials(target, {clock, store: observed.store});
	const renewed = await credentials.renew(tokens?.access_token, {insufficientScope: false});
	expect(await ask(server.url, renewed)).not.toBe(401);
});
