import {type KeyObject, verify} from 'node:crypto';
import {type JsonObject, ownMember} from '../../util/json-text.ts';
import {certificateKeyId} from './key-files.ts';
import {type KeySets} from './key-sets.ts';
import {type Verifier} from './signature.ts';
import {isPlainJson, parseUnproven} from './unproven-body.ts';

/** A message as sent; nothing of it is verified. */
type SentMessage = {
	readonly signed: Buffer;
	readonly signature: Buffer;
	readonly hash: 'sha1' | 'sha256';
	/** The address of the certificate. */
	readonly certificate: string;
};

const notificationFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const confirmationFields = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** The members of each type of message that are signed, in their order (docs.aws.amazon.com/sns, Verifying the signatures of Amazon SNS messages). */
const signedFields: ReadonlyMap<string, readonly string[]> = new Map([
	['Notification', notificationFields],
	['SubscriptionConfirmation', confirmationFields],
	['UnsubscribeConfirmation', confirmationFields],
]);

const hashes: ReadonlyMap<string, SentMessage['hash']> = new Map([
	['1', 'sha1'],
	['2', 'sha256'],
]);

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/u;
/** SNS sends a message for an hour at most; its id is known as long. */
const oldestMilliseconds = 3_600_000;
const aheadMilliseconds = 300_000;

/** True for an https address of SNS itself. */
export function isSnsAddress(text: string): boolean {
	const url = URL.parse(text);
	return (
		url !== null &&
		url.protocol === 'https:' &&
		host.test(url.hostname) &&
		url.port === '' &&
		url.username === '' &&
		url.password === ''
	);
}

/**
The verifier of a route for SNS. The proof is in the body, so nothing is decided before it is read. The certificate of a region signs the topics of all
customers, so the topic must be one of the route (docs/providers.md, AWS SNS).
*/
export function createSnsVerifier(topics: readonly string[], keySets: KeySets): Verifier {
	return ({headers}, now) => {
		if (!isPlainJson(headers)) {
			return undefined;
		}

		let proof: {readonly body: Uint8Array; readonly message: SentMessage; readonly key: KeyObject} | undefined;
		return {
			scheme: 'current',
			name: 'AWS SNS',
			async loadNamedKey(body) {
				const message = readMessage(parseUnproven(body), topics, now);
				const found = message && (await keySets.find(message.certificate, certificateKeyId, 'certificate'));
				proof = message && found?.kind === 'key' ? {body, message, key: found.key} : undefined;
				return found?.kind === 'away' ? found.reason : undefined;
			},
			isSigned: body => proof?.body === body && isSignedBy(proof.key, proof.message),
		};
	};
}

/** The message, if it is one of these topics, fresh, and names a certificate of SNS. */
function readMessage(body: JsonObject | undefined, topics: readonly string[], now: number): SentMessage | undefined {
	const text = (name: string) => {
		const value = body && ownMember(body, name);
		return typeof value === 'string' ? value : undefined;
	};

	const fields = signedFields.get(text('Type') ?? '');
	const hash = hashes.get(text('SignatureVersion') ?? '');
	const certificate = text('SigningCertURL') ?? '';
	const isOfRoute = topics.includes(text('TopicArn') ?? '') && isFresh(text('Timestamp') ?? '', now);
	if (!body || !fields || !hash || !isOfRoute || !isCertificateAddress(certificate)) {
		return undefined;
	}

	const present = fields.filter(name => name !== 'Subject' || (ownMember(body, name) ?? null) !== null);
	const values = present.map(text);
	return values.includes(undefined)
		? undefined
		: {
				signed: Buffer.from(present.map((name, index) => `${name}\n${values[index]}\n`).join('')),
				signature: Buffer.from(text('Signature') ?? '', 'base64'),
				hash,
				certificate,
			};
}

function isFresh(timestamp: string, now: number): boolean {
	const age = now - Date.parse(timestamp);
	return age >= -aheadMilliseconds && age <= oldestMilliseconds;
}

function isCertificateAddress(text: string): boolean {
	return isSnsAddress(text) && /^\/[\w-]+\.pem$/u.test(new URL(text).pathname) && !/[?#]/u.test(text);
}

function isSignedBy(key: KeyObject, {signed, signature, hash}: SentMessage): boolean {
	return verify(hash, signed, key, signature);
}
