import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import {type presetNames} from '../../../source/config/webhooks/presets/preset-table.ts';
import {type WrittenSignature} from '../../../source/config/webhooks/signature-schema.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {createSchemeVerifier} from '../../../source/webhooks/signature/scheme-verifier.ts';

type Written = (typeof presetNames)[number] | WrittenSignature;
export type Sent = {
	readonly scheme: Written;
	readonly secret: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly target?: string;
	/** Seconds since the epoch at which it is checked. */
	readonly at: number;
};

/** The whole decision: the headers claim something fresh, and one of the secrets made it. */
export function passes({scheme, secret, headers, body, target = '/webhooks/r', at}: Sent, secrets = [secret]): boolean {
	const read = toSignatureScheme(scheme);
	const keys = secrets.map(one => readSchemeKey(one, read)).filter(key => key !== undefined);
	const signature = createSchemeVerifier(read, keys)({headers: new Map(Object.entries(headers)), target}, at * 1000);
	return signature?.isSigned(Buffer.from(body, 'utf8')) ?? false;
}

export const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
export const at = 1_700_000_000;
// RFC 4231 test case 2, RFC 2202 test case 2.
export const jefe = {secret: 'Jefe', body: 'what do ya want for nothing?', at};
export const jefeHex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

const discordPair = generateKeyPairSync('ed25519');
export const discordSecret = discordPair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32).toString('hex');
export const discord = (body: string, time = at): Sent => ({
	scheme: 'discord',
	secret: discordSecret,
	headers: {
		'x-signature-ed25519': sign(null, Buffer.from(`${time}${body}`), discordPair.privateKey).toString('hex'),
		'x-signature-timestamp': String(time),
	},
	body,
	at,
});

export const stripe = (time = at): Sent => ({
	scheme: 'stripe',
	secret: 'whsec_test_secret',
	headers: {'stripe-signature': `t=${time},v1=${hex('whsec_test_secret', `${time}.{"id":1}`)},v0=${'0'.repeat(64)}`},
	body: '{"id":1}',
	at,
});

export const linear = (webhookTimestamp: unknown): Sent => {
	const body = JSON.stringify({action: 'create', webhookTimestamp});
	return {scheme: 'linear', secret: 's', headers: {'linear-signature': hex('s', body)}, body, at};
};

/** The example of Slack's documentation. */
export const slack: Sent = {
	scheme: 'slack',
	secret: '8f742231b10e8888abcd99yyyzzz85a5',
	headers: {
		'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
		'x-slack-request-timestamp': '1531420618',
	},
	body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
	at: 1_531_420_618,
};

/** The examples of Twilio's documentation and of the tests of its libraries. */
export const twilioForm: Sent = {
	scheme: 'twilio',
	secret: '12345',
	headers: {
		'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
		'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
		host: 'mycompany.com',
	},
	target: '/myapp.php?foo=1&bar=2',
	body: 'To=%2B18005551212&CallSid=CA1234567890ABCDE&Caller=%2B14158675309&From=%2B14158675309&Digits=1234',
	at,
};
const bodyHash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';
export const twilioJson: Sent = {
	...twilioForm,
	headers: {
		'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
		'content-type': 'application/json',
		host: 'mycompany.com',
	},
	target: `/myapp.php?foo=1&bar=2&bodySHA256=${bodyHash}`,
	body: '{"property": "value", "boolean": true}',
};

/** The example of the documentation of Jira and Bitbucket. */
export const atlassian = (scheme: 'jira' | 'bitbucket'): Sent => ({
	scheme,
	secret: "It's a Secret to Everybody",
	headers: {'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9'},
	body: 'Hello World!',
	at,
});
