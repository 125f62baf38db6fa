import {describe, expect, test} from 'vitest';
import {presetNames} from '../../../source/config/webhooks/presets/preset-table.ts';
import {secondsText} from '../../../source/config/webhooks/presets/preset-text.ts';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {webhookRefusals} from '../../../source/config/webhooks/refusals.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

const home = () => stateDirectory({platforms: {webhook: {enabled: true, port: 8700, secret: 'abc'}}});

test('the list has every preset, with its event type and its delivery id', async () => {
	const {code, stdout} = await runSluice({home: home()}, 'webhook', 'presets');
	expect(code).toBe(0);
	expect(stdout.split('\n').slice(1, -1)).toHaveLength(presetNames.length);
	expect(stdout).toMatch(/^slack +Slack +field event\.type +field event_id +3 seconds +1 day$/mu);
});

test('of one preset it prints the route, and the steps at the provider with the address of this gateway', async () => {
	const {stdout} = await runSluice({home: home()}, 'webhook', 'presets', 'stripe');
	expect(stdout).toContain('signature: "stripe"');
	expect(stdout).toContain('http://127.0.0.1:8700/webhooks/stripe');
	expect(stdout).toContain('.env as STRIPE_SECRET');
});

describe.each(presetNames)('%s', name => {
	test('the printed route is served once its variables are set', async () => {
		const {stdout} = await runSluice({home: home()}, 'webhook', 'presets', name, '--json');
		const {config: text, steps, url} = JSON.parse(stdout);
		const {config} = readConfigText('config.yaml', text, () => undefined);
		expect(config.problems).toEqual([]);
		expect(config.webhook.routes.map(route => route.name)).toEqual([name]);
		expect(webhookRefusals(config.webhook, reference => reference.replaceAll(/\$\{\w+\}/gu, 'set'))).toEqual([]);
		expect(steps.join('\n')).toContain(url);
		expect(steps.join('\n')).not.toMatch(/\{\w+\}/u);
	});
});

test('an unknown name gets the nearest one', async () => {
	const {code, stderr} = await runSluice({home: home()}, 'webhook', 'presets', 'strpe');
	expect(code).toBe(2);
	expect(stderr).toContain('"strpe" is not a known preset; did you mean "stripe"?');
});

test.each([
	[1, '1 second'],
	[90, '90 seconds'],
	[5400, '90 minutes'],
	[28_800, '8 hours'],
	[259_200, '3 days'],
])('%i seconds are %s', (seconds, text) => {
	expect(secondsText(seconds)).toBe(text);
});
