import type {
  AzureBucketPlan,
  CloudflareBucketPlan,
  GcpBucketPlan,
  SupabaseBucketPlan,
} from './bucket-plan.js'
import type { CredentialRecord, CredentialSettings } from './credential-record.js'
import type { AzureRegion } from './service-credential.js'

/** A place for what is kept of calls. */
interface CallStorage {
  /** When an upload fails, places are tried in rising order of this; at least 1. */
  fallbackIndex?: number
}

interface S3Bucket extends CallStorage {
  provider: 's3'
  awsAccessKeyId: string
  region: string
  s3BucketName: string
  /** What every stored name begins with: `recordings/`. */
  s3PathPrefix: string
}

export interface CreateS3Credential extends CredentialSettings, S3Bucket {
  awsSecretAccessKey: string
}

export interface S3Credential extends CredentialRecord, S3Bucket {}

/** A service account's key of Google Cloud, less its private part. */
export interface GcpPublicKey {
  /** Mostly `service_account`. */
  type: string
  projectId: string
  privateKeyId: string
  clientEmail: string
  clientId: string
  authUri: string
  tokenUri: string
  authProviderX509CertUrl: string
  clientX509CertUrl: string
  universeDomain: string
}

/** The key that Google Cloud's console makes, its names in camel case. */
export interface GcpKey extends GcpPublicKey {
  /** PEM. */
  privateKey: string
}

interface GcpAccount extends CallStorage {
  provider: 'gcp'
  /** At most 40 characters. */
  region?: string
  bucketPlan?: GcpBucketPlan
}

export interface CreateGcpCredential extends CredentialSettings, GcpAccount {
  gcpKey: GcpKey
}

export interface GcpCredential extends CredentialRecord, GcpAccount {
  gcpKey: GcpPublicKey
}

interface AzureAccount extends CallStorage {
  provider: 'azure'
  /** Default `speech`. */
  service: 'speech' | 'blob_storage'
  region?: AzureRegion
  /** With service `blob_storage`. */
  bucketPlan?: AzureBucketPlan
}

export interface CreateAzureCredential extends CredentialSettings, AzureAccount {
  /** At most 10,000 characters. */
  apiKey?: string
}

export interface AzureCredential extends CredentialRecord, AzureAccount {}

interface CloudflareAccount extends CallStorage {
  provider: 'cloudflare'
  accountId?: string
  accountEmail?: string
  bucketPlan?: CloudflareBucketPlan
}

export interface CreateCloudflareCredential extends CredentialSettings, CloudflareAccount {
  /** A key or a token of Cloudflare's API. */
  apiKey?: string
}

export interface CloudflareCredential extends CredentialRecord, CloudflareAccount {}

interface SupabaseProject extends CallStorage {
  provider: 'supabase'
  bucketPlan?: SupabaseBucketPlan
}

export interface CreateSupabaseCredential extends CredentialSettings, SupabaseProject {}

export interface SupabaseCredential extends CredentialRecord, SupabaseProject {}
