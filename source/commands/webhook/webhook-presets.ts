import {type Preset} from '../../config/webhooks/presets/preset.ts';
import {type PresetName, presetNames, presets} from '../../config/webhooks/presets/preset-table.ts';
import {messageSourceText, secondsText} from '../../config/webhooks/presets/preset-text.ts';
import {unknownWord} from '../../config/values/did-you-mean.ts';
import {type PresetGuideJson, type PresetJson} from '../../state/json/preset.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printResult, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {type OpenRoutes} from './route-registry.ts';
import {webhookUrl} from './webhook-url.ts';

/** `sluice webhook presets [NAME] [--json]`: the known providers, or the steps that connect one with this gateway. */
export function runWebhookPresets(context: CommandContext, openRoutes: OpenRoutes): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [word, ...others] = context.arguments;
		if (others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice webhook presets [NAME] [--json]'});
		}

		if (word === undefined) {
			await printRows<PresetJson>(context, presetNames.map(presetJson), {
				titles: ['NAME', 'PROVIDER', 'EVENT TYPE', 'DELIVERY ID', 'ANSWER WITHIN', 'SENDS AGAIN FOR'],
				cells: row => [
					row.name,
					row.provider,
					row.event_type ?? '-',
					row.delivery_id ?? '-',
					timeText(row.answer_seconds),
					timeText(row.retry_seconds),
				],
				none: 'There are no presets.',
			});
			return 0;
		}

		const name = presetNames.find(one => one === word);
		if (name === undefined) {
			throw new Problem('bad_usage', {message: unknownWord(word, {noun: 'preset', words: presetNames})});
		}

		const {webhook} = await openRoutes();
		const guide = presetGuide(name, await webhookUrl(context, webhook, {name}));
		printResult(context, guide, guideText(guide));
		return 0;
	});
}

function timeText(seconds: number | null): string {
	return seconds === null ? '-' : secondsText(seconds);
}

function presetJson(name: PresetName): PresetJson {
	const {title, documentation, signature, eventType, deliveryId, answerSeconds, retrySeconds, verified} = presets[name];
	return {
		name,
		provider: title,
		documentation,
		header: signature.header ?? null,
		event_type: messageSourceText(eventType) ?? null,
		delivery_id: messageSourceText(deliveryId) ?? null,
		answer_seconds: answerSeconds ?? null,
		retry_seconds: retrySeconds ?? null,
		verified,
	};
}

/** The route to write and the steps at the provider, for a route with the name of the preset at this address. */
function presetGuide(name: PresetName, address: string): PresetGuideJson {
	const variable = `${name.toUpperCase()}_SECRET`;
	const steps = presets[name].steps.map(step =>
		step.replaceAll('{address}', address).replaceAll('{variable}', variable),
	);
	return {...presetJson(name), url: address, config: routeLines(name, {address, variable}), steps};
}

/** The lines of config.yaml for the route. Values in JSON are valid YAML. */
function routeLines(name: PresetName, at: {readonly address: string; readonly variable: string}): string {
	const entry = Object.entries(routeEntry(name, presets[name], at));
	const lines = entry.map(([key, value]) => `        ${key}: ${JSON.stringify(value)}`);
	return ['platforms:', '  webhook:', '    enabled: true', '    routes:', `      ${name}:`, ...lines, ''].join('\n');
}

function routeEntry(
	name: PresetName,
	{challenge, signature, issuer}: Preset,
	{address, variable}: {readonly address: string; readonly variable: string},
): Readonly<Record<string, unknown>> {
	const needsToken = challenge?.kind === 'parameter' && challenge.tokenParameter !== undefined;
	return {
		secret: secretEntry(name, {issuer, address, variable, signature}),
		signature: signature.signed?.includes('{url}') ? {preset: name, url: address} : name,
		...(needsToken && {challenge: {token: `\${${name.toUpperCase()}_VERIFY_TOKEN}`}}),
	};
}

function secretEntry(
	name: PresetName,
	{
		issuer,
		signature,
		address,
		variable,
	}: Pick<Preset, 'issuer' | 'signature'> & {
		readonly address: string;
		readonly variable: string;
	},
): unknown {
	if (signature.algorithm === 'sns') {
		return {topic_arn: 'arn:aws:sns:us-east-1:123456789012:TOPIC'};
	}

	return issuer ? {audience: address, email: `\${${name.toUpperCase()}_EMAIL}`} : `\${${variable}}`;
}

function guideText(guide: PresetGuideJson): string {
	const {provider, documentation, config, steps} = guide;
	const all = [`Add the route to config.yaml, then run \`sluice reload\`:\n\n${indented(config)}`, ...steps];
	const lines = [
		`${provider}  ${documentation}`,
		'',
		...all.map((step, index) => `${index + 1}. ${step}`),
		'',
		`Event type   ${guide.event_type ?? 'as for any sender'}`,
		`Delivery id  ${guide.delivery_id ?? 'as for any sender'}`,
		`Verified by  ${guide.verified}`,
		'',
		`A provider on the internet needs the public address of your proxy in place of ${new URL(guide.url).origin}.`,
	];
	return `${lines.map(line => safeText(line, {multiline: true})).join('\n')}\n`;
}

function indented(text: string): string {
	return text
		.split('\n')
		.map(line => (line === '' ? line : `     ${line}`))
		.join('\n');
}
