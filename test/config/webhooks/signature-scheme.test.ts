import {describe, expect, test} from 'vitest';
import {presetNames, presets} from '../../../source/config/webhooks/presets/preset-table.ts';
import {type WrittenSignature} from '../../../source/config/webhooks/signature-schema.ts';
import {signatureFault, toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';

test.each(presetNames)('the preset %s is sound', name => {
	const isAddressSigned = presets[name].signature.signed?.includes('{url}') === true;
	const url = 'https://hooks.example/r';
	expect(signatureFault(isAddressSigned ? {preset: name, url} : name)).toBeUndefined();
	expect(signatureFault(name)?.includes('Set `url`')).toBe(isAddressSigned || undefined);
});

test('a mapping has defaults, and header names lose their case', () => {
	expect(toSignatureScheme({header: 'X-Sum'})).toEqual({
		header: 'x-sum',
		algorithm: 'sha256',
		jwtAlgorithm: 'RS256',
		encoding: 'hex',
		prefix: '',
		signed: '{body}',
		toleranceSeconds: 300,
		key: 'text',
	});
});

test('a preset is changed key by key', () => {
	expect(toSignatureScheme({preset: 'slack', tolerance: 10, timestamp_header: 'X-Time'})).toMatchObject({
		header: 'x-slack-signature',
		prefix: 'v0=',
		signed: 'v0:{timestamp}:{body}',
		timestamp: {from: 'header', name: 'x-time'},
		toleranceSeconds: 10,
	});
});

describe('a scheme that proves nothing is refused', () => {
	test.each<[WrittenSignature, string | undefined]>([
		[{}, 'The signature has no header'],
		[{header: 'x', signed: 'nothing'}, '`signed` does not contain {body}'],
		[{header: 'x', timestamp_header: 't'}, 'The timestamp and `signed` do not match'],
		[{header: 'x', signed: '{timestamp}.{body}'}, 'The timestamp and `signed` do not match'],
		[{header: 'x', signed: '{timestamp}{body}', timestamp_header: 't', timestamp_field: 'f'}, 'more than one'],
		[{header: 'x', signed: '{timestamp}{body}', timestamp_header: 't'}, undefined],
		[{header: 'x', timestamp_field: 'at'}, undefined],
		[{header: 'x', algorithm: 'token'}, undefined],
		[{header: 'x', signed: '{method}{url}{body}'}, 'The sender signs its address. Set `url`'],
		[{header: 'x', signed: '{method}{url}{body}', url: 'https://a.example/r'}, undefined],
		[{header: 'x', signed: '{method}{url}', url: 'https://a.example/r'}, '`signed` does not contain {body}'],
	])('%j: %s', (written, fault) => {
		const found = signatureFault(written);
		expect(fault === undefined ? found === undefined : found?.includes(fault)).toBe(true);
	});
});
