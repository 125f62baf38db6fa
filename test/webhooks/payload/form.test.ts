import {createHmac} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {maxFormFields, readFormFields} from '../../../source/webhooks/payload/form.ts';
import {readPayload} from '../../../source/webhooks/payload/payload.ts';
import {createSchemeVerifier} from '../../../source/webhooks/signature/scheme-verifier.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {countReads} from '../../helpers/count-reads.ts';
import {openHandler, secret} from '../open-handler.ts';

const type = {'content-type': 'application/x-www-form-urlencoded'};
const distinct = (fields: number) => Array.from({length: fields}, (_, at) => `n${at}=v`).join('&');
const repeated = (fields: number) => Array.from({length: fields}, (_, at) => `a=${at}`).join('&');
const twilio = {algorithm: 'sha1', header: 'x-twilio-signature'} as const;

function signTwilio(body: string, address: string): Readonly<Record<string, string>> {
	const sorted = [...new URLSearchParams(body)].sort(([first], [second]) => (first < second ? -1 : 1)).flat();
	const digest = createHmac(twilio.algorithm, secret)
		.update(address + sorted.join(''))
		.digest('base64');
	return {...type, host: 'gateway.test', [twilio.header]: digest};
}

/** Fields read by the check of a signature that covers them. */
function verifyTwilio(body: string): Promise<number> {
	const scheme = toSignatureScheme('twilio');
	const keys = [readSchemeKey(secret, scheme)].filter(key => key !== undefined);
	const headers = new Map(Object.entries({...type, host: 'h', [twilio.header]: 'no'}));
	const signature = createSchemeVerifier(scheme, keys)({headers, target: '/webhooks/open'}, 0);
	const bytes = Buffer.from(body);
	return countReads(() => signature?.isSigned(bytes));
}

function parse(body: string): Promise<number> {
	const bytes = Buffer.from(body);
	return countReads(() => readPayload(bytes, new Map(Object.entries(type)), 10_000_000));
}

describe('a form is read in one pass', () => {
	test.each([
		{what: 'distinct names under a signature', form: distinct, read: verifyTwilio},
		{what: 'one name repeated under a signature', form: repeated, read: verifyTwilio},
		{what: 'distinct names of a payload', form: distinct, read: parse},
		{what: 'one name repeated in a payload', form: repeated, read: parse},
	])('twice the fields take twice the reads: $what', async ({form, read}) => {
		const once = await read(form(2000));
		const twice = await read(form(4000));
		expect(once).toBeGreaterThan(2000);
		expect(twice / once).toBeLessThan(2.5);
	});
});

describe('a form has at most 10,000 fields', () => {
	test('one more is not parsed', () => {
		expect(maxFormFields).toBe(10_000);
		expect(readFormFields(distinct(10_000))).toHaveLength(10_000);
		expect(readFormFields(distinct(10_001))).toBeUndefined();
	});

	test.each([
		{fields: 10_000, statuses: [202, 429]},
		{fields: 10_001, statuses: [401, 401]},
	])('$fields fields signed by their names: $statuses, the quota of one untouched by a refusal', async row => {
		const {post, table} = openHandler({
			routes: [{name: 'open', secrets: [secret], signature: toSignatureScheme('twilio')}],
			rateLimit: 1,
		});
		expect(table.routes.get('open')?.service.kind).toBe('open');
		const send = (body: string) => post({body, headers: signTwilio(body, 'https://gateway.test/webhooks/open')});
		const body = distinct(row.fields);
		expect([(await send(body)).status, (await send(body)).status]).toEqual(row.statuses);
		// The rest of the quota after the refusals.
		expect((await send(distinct(1))).status).toBe(row.fields > maxFormFields ? 202 : 429);
	});

	test.each([
		{fields: 10_000, status: 202},
		{fields: 10_001, status: 400},
	])('$fields fields signed as bytes: $status', async ({fields, status}) => {
		const {post} = openHandler({routes: [{name: 'open', secrets: [secret]}]});
		const reply = await post({body: distinct(fields), headers: type, sign: secret});
		expect(reply.status).toBe(status);
		expect(reply.body).toMatchObject(status === 400 ? {error: 'Malformed body'} : {status: 'accepted'});
	});
});
