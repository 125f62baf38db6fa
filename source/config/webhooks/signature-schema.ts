import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {presetNames} from './presets/preset-table.ts';

const descriptorSchema = lazy(() =>
	z.strictObject({
		preset: z.enum(presetNames).describe('The provider to begin with; the other keys change it.').optional(),
		header: z.string().min(1).describe('Header that carries the signature.').optional(),
		field: z
			.string()
			.min(1)
			.describe('Field of the payload that carries the secret itself, with `token`; `*` is every item of a list.')
			.optional(),
		algorithm: z
			.enum(['sha256', 'sha1', 'sha512', 'ed25519', 'ecdsa-sha256', 'rsa-sha256', 'jwt', 'token'])
			.describe('HMAC with this hash, a public key of this kind, a JWT, or the secret itself. Default: sha256.')
			.optional(),
		jwt_algorithm: z.enum(['RS256', 'ES256']).describe('Algorithm of the tokens of `jwt`. Default: RS256.').optional(),
		encoding: z.enum(['hex', 'base64']).describe('How the signature is written. Default: hex.').optional(),
		prefix: z.string().describe('Text before the signature.').optional(),
		separator: z.string().min(1).describe('Text between the parts of the header.').optional(),
		timestamp_header: z.string().min(1).describe('Header that carries the time of signing.').optional(),
		timestamp_part: z.string().min(1).describe('Text before the time in a part of the header: `t=`.').optional(),
		timestamp_field: z.string().min(1).describe('Field of the payload that carries the time.').optional(),
		signed: z
			.string()
			.describe('The signed text, made of {timestamp}, {body}, {method} and {url}. Default: {body}.')
			.optional(),
		tolerance: z
			.number()
			.int()
			.min(1)
			.max(86_400)
			.describe('How far the time may be off, in seconds. Default: 300.')
			.optional(),
		key: z
			.enum(['text', 'hex', 'base64'])
			.describe('How the secret is written. Default: text; of ed25519: hex. Other public keys are PEM or base64 SPKI.')
			.optional(),
		url: z.string().min(1).describe('The address that the sender calls, for senders that sign it.').optional(),
	}),
);

/** A signature scheme in config.yaml: the name of a provider, or the differences from it. */
export type WrittenSignature = z.output<ReturnType<typeof descriptorSchema>>;

/** The schema of `signature`. */
export const signatureSchema = lazy(() =>
	field(z.union([z.enum(presetNames), descriptorSchema()]), {
		words: presetNames,
		noun: 'preset',
		description: 'Signature scheme of this route instead of the recognised headers.',
		allowed: `${presetNames.join(', ')}, or a mapping with ${Object.keys(descriptorSchema().shape).join(', ')}`,
	}).optional(),
);
