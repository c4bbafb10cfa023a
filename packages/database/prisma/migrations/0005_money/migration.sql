-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "total_usd" DOUBLE PRECISION NOT NULL DEFAULT 0;
