import {describe, expect, test} from 'vitest';
import {presetNames} from '../../../source/config/webhooks/presets/preset-table.ts';
import {type WrittenSignature} from '../../../source/config/webhooks/signature-schema.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {createFieldVerifier} from '../../../source/webhooks/signature/field-verifier.ts';
import {createSchemeVerifier} from '../../../source/webhooks/signature/scheme-verifier.ts';
import {signByScheme} from '../../../source/webhooks/signature/sign-body.ts';

const now = 1_700_000_000_000;
const address = 'http://127.0.0.1:8644/webhooks/r';

function passes(written: (typeof presetNames)[number] | WrittenSignature, secret: string, body = '{"a":1}'): boolean {
	const scheme = toSignatureScheme(written);
	const post = signByScheme(body, {scheme, secret}, {address, now});
	const headers = new Map(
		Object.entries({host: '127.0.0.1:8644', 'content-type': 'application/json', ...post.headers}),
	);
	const keys = [readSchemeKey(secret, scheme)].filter(key => key !== undefined);
	const verify =
		scheme.field === undefined ? createSchemeVerifier(scheme, keys) : createFieldVerifier(scheme.field, keys);
	const signature = verify({headers, target: `/webhooks/r${post.search}`}, now);
	return signature?.isSigned(Buffer.from(post.body)) ?? false;
}

describe('what is signed by a scheme passes it', () => {
	test.each(presetNames.filter(name => !['discord', 'sendgrid', 'pubsub', 'sns'].includes(name)))('%s', preset => {
		expect(passes(preset, 'a secret')).toBe(true);
	});

	test.each([
		{header: 'X-Sum', algorithm: 'sha512', encoding: 'base64', prefix: 'sum=', key: 'hex'},
		{header: 'X-Sum', timestamp_part: 'ts=', separator: ';', prefix: 'h1=', signed: '{timestamp}:{body}'},
		{header: 'X-Sum', timestamp_field: 'meta.sent', tolerance: 10},
		{preset: 'twilio', url: 'https://public.example/hook'},
		{algorithm: 'token', field: 'meta.secret'},
		{algorithm: 'token', field: 'a.*.secret'},
	] as const)('%j', scheme => {
		expect(passes(scheme, 'abcdef')).toBe(true);
	});
});

test('a time that a body carries already stays', () => {
	const scheme = toSignatureScheme('linear');
	const {body} = signByScheme('{"webhookTimestamp":5}', {scheme, secret: 's'}, {address, now});
	expect(body).toBe('{"webhookTimestamp":5}');
});

test.each(['discord', 'sns', 'pubsub'] as const)('%s: only the sender can sign', preset => {
	expect(() => passes(preset, '00'.repeat(32))).toThrow(expect.objectContaining({code: 'bad_usage'}));
});
