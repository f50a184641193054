-- AlterEnum
ALTER TYPE "directory"."venue_proposal_state" ADD VALUE IF NOT EXISTS 'withdrawn';
